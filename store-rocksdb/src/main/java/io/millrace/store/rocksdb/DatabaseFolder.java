package io.millrace.store.rocksdb;

import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.StoreOptions.LostCommits;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.store.rocksdb.Settings.Logs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The database of a locked folder, on its way to be used.
 *
 * <p>RocksDB changes files as soon as it opens them for writing, and takes a log that lost its end
 * for one that ended there. So it is first opened for reading, which changes nothing, and asked for
 * its newest commit: what holds less than was once durable is refused as it was found.
 *
 * <p>The newest commit does not tell whether all before it is there. RocksDB finds out itself when
 * a table is missing, or a log between two others. But the file that names the tables may have lost
 * its end: then the log goes on where tables should have ended that nobody misses. So the numbers
 * of RocksDB's operations must go on from the tables to the log.
 *
 * @param data the folder of RocksDB's files, which need not exist
 */
record DatabaseFolder(StoreFolder folder, Path data, StoreOptions options, long memtableBytes) {

  /** The name of the database's folder, in the store's folder. On disk, never change. */
  static final String DATA_FOLDER = "data";

  /** RocksDB's file that names the others: a database without it is none. */
  private static final String CURRENT = "CURRENT";

  private static final List<String> ROW_FILES = List.of(".sst", LogFiles.SUFFIX);

  static DatabaseFolder of(StoreFolder folder, StoreOptions options) throws IOException {
    long diskBytes = Files.getFileStore(folder.path()).getTotalSpace();
    long memtableBytes = RocksLimits.memtableBytes(options.storeBytesMax(), diskBytes);
    return new DatabaseFolder(folder, folder.subfolder(DATA_FOLDER), options, memtableBytes);
  }

  boolean isReadOnly() {
    return options.access() == Access.READ_ONLY;
  }

  /**
   * Opens the database for reading, which changes nothing; null if there is none, or one that was
   * never finished, and so never promised: it is begun again.
   *
   * @throws StoreCorruptException it is damaged, or rows are there without their database
   */
  @Nullable Database look() throws IOException {
    if (isReadOnly() && folder.watermark().equals(Watermark.NONE)) {
      throw new StoreException("store was never opened for writing: folder=" + folder.path());
    }
    if (!Files.exists(data.resolve(CURRENT))) {
      requireNoRows();
      return null;
    }
    try {
      Logs logs = isWithoutLogs() ? Logs.ANY : Logs.CHAINED;
      return Database.open(data, memtableBytes, Access.READ_ONLY, logs);
    } catch (StoreException e) {
      if (isReadOnly() || !folder.watermark().equals(Watermark.NONE)) {
        throw e;
      }
      clear();
      return null;
    }
  }

  /**
   * Opens the database for writing once it was looked at, or creates it, and commits that an epoch
   * begins. Gives up the ballast if the disk has no room for that: who cannot open a store frees
   * nothing.
   *
   * @param held what it was seen to hold
   * @param raised the same commit in the epoch that begins, or {@code held} if none does
   * @throws StoreCorruptException it is damaged, or holds something else
   */
  Database openToWrite(Watermark held, Watermark raised) throws IOException {
    try {
      return openRaised(held, raised);
    } catch (StoreException e) {
      Ballast ballast = new Ballast(folder.path(), RocksLimits.ballastBytes(memtableBytes));
      if (!RocksErrors.isNoSpace(e) || !ballast.release()) {
        throw e;
      }
      return openRaised(held, raised);
    }
  }

  private Database openRaised(Watermark held, Watermark raised) throws IOException {
    if (isWithoutLogs()) {
      // The chain needs a log to begin with.
      Database.open(data, memtableBytes, Access.READ_WRITE, Logs.ANY).close();
    }
    Database database = Database.open(data, memtableBytes, Access.READ_WRITE, Logs.CHAINED);
    try {
      Watermark found = database.held();
      // A disk without room may have failed the sync of what it took.
      if (!found.equals(raised)) {
        requireHeld(found, held);
        database.commitHeld(raised);
      }
      database.beginCompactions();
      return database;
    } catch (RocksDBException e) {
      database.close();
      throw RocksErrors.translate("store cannot be opened", folder.path(), e);
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  /**
   * Opens the database anew that was open in this process. It is durable: what an opening finds in
   * the logs it writes to tables.
   *
   * @throws StoreCorruptException it holds something else than was written to it
   */
  Database openAgain(Watermark held) throws IOException {
    try (Database found = look()) {
      requireHeld(found == null ? Watermark.NONE : found.held(), held);
      requireNoGap(found);
    }
    return openToWrite(held, held);
  }

  /**
   * A database that was opened to the end has a log: one without has lost it, be it an empty one.
   */
  private boolean isWithoutLogs() throws IOException {
    return Files.exists(data.resolve(CURRENT)) && LogFiles.in(data).isEmpty();
  }

  private void requireHeld(Watermark found, Watermark held) {
    if (!found.equals(held)) {
      throw new StoreCorruptException(
          "database was opened anew and holds another commit than before: folder="
              + folder.path()
              + ", before="
              + held
              + ", found="
              + found);
    }
  }

  /**
   * Beyond a gap there are rows, but not those that they follow from: nothing that once was, so
   * accepting lost commits is of no help but to look at it.
   *
   * @throws StoreCorruptException there is a gap between the tables and the logs
   */
  void requireNoGap(@Nullable Database found) throws IOException {
    OptionalLong logsBegin = LogFiles.firstNumber(data);
    boolean isOnlyLookedAt = isReadOnly() && options.lostCommits() == LostCommits.ACCEPT;
    if (found == null || isOnlyLookedAt || logsBegin.isEmpty()) {
      return;
    }
    long tablesEnd = Database.tablesEnd(data, folder.path());
    // A log that is not chained to those before it was not read.
    boolean isRead = found.end() > tablesEnd;
    if (isRead && logsBegin.getAsLong() > tablesEnd + 1) {
      throw new StoreCorruptException(
          "database has lost tables that its log goes on from, restore it from a backup: folder="
              + folder.path()
              + ", tables end="
              + tablesEnd
              + ", log begins="
              + logsBegin.getAsLong());
    }
  }

  private void requireNoRows() throws IOException {
    if (folder.watermark().equals(Watermark.NONE)) {
      clear();
      return;
    }
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (ROW_FILES.stream().anyMatch(name::endsWith)) {
        throw new StoreCorruptException(
            "database has rows but not the file that says which of them count, restore it from a"
                + " backup: missing="
                + data.resolve(CURRENT)
                + ", found="
                + name);
      }
    }
  }

  private void clear() throws IOException {
    for (Path file : files()) {
      Files.delete(file);
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(data)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(data)) {
      return files.toList();
    }
  }
}

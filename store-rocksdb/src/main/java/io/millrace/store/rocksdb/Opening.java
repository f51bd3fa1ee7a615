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
 * The steps from a locked folder to a database that may be used.
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
record Opening(StoreFolder folder, Path data, StoreOptions options, long memtableBytes) {

  /** In the store's folder. On disk, never change. */
  static final String DATA_FOLDER = "data";

  /** RocksDB's file that names the others: a database without it is none. */
  private static final String CURRENT = "CURRENT";

  private static final List<String> ROW_FILES = List.of(".sst", LogFiles.SUFFIX);

  static Opening of(StoreFolder folder, StoreOptions options) throws IOException {
    long diskBytes = Files.getFileStore(folder.path()).getTotalSpace();
    long memtableBytes = RocksLimits.memtableBytes(options.storeBytesMax(), diskBytes);
    return new Opening(folder, folder.subfolder(DATA_FOLDER), options, memtableBytes);
  }

  boolean isReadOnly() {
    return options.access() == Access.READ_ONLY;
  }

  /**
   * Opens the database when it holds all that was once durable.
   *
   * @throws StoreCorruptException it holds less and that is not accepted, or it is damaged
   */
  Database openDatabase() throws IOException {
    if (isReadOnly() && folder.watermark().equals(Watermark.NONE)) {
      throw new StoreException("store was never opened for writing: folder=" + folder.path());
    }
    if (!Files.exists(data.resolve(CURRENT))) {
      requireNoRows();
      folder.checkNothingLost(Watermark.NONE, options.lostCommits());
    } else {
      Database found = openToRead();
      if (found != null && isReadOnly()) {
        return found;
      }
      if (found != null) {
        found.close();
      }
    }
    if (isWithoutLogs()) {
      // The chain needs a log to begin with.
      Database.open(data, memtableBytes, options.access(), Logs.ANY).close();
    }
    return Database.open(data, memtableBytes, options.access(), Logs.CHAINED);
  }

  /**
   * A database that was opened to the end has a log: one without has lost it, be it an empty one.
   */
  private boolean isWithoutLogs() throws IOException {
    return Files.exists(data.resolve(CURRENT)) && LogFiles.in(data).isEmpty();
  }

  /** Which opening this is, durably; for reading only, what the newest was. */
  Watermark raiseEpoch(Database database) {
    Watermark held = database.held();
    if (isReadOnly()) {
      return held;
    }
    long epoch = Math.max(held.epoch(), folder.watermark().epoch()) + 1;
    Watermark raised = new Watermark(Math.max(epoch, options.epochLeast()), held.commit());
    try {
      database.commitHeld(raised);
    } catch (RocksDBException e) {
      throw RocksErrors.translate("epoch cannot be raised", folder.path(), e);
    }
    folder.syncNames();
    folder.advance(raised);
    return raised;
  }

  /**
   * Looks whether a database that was opened anew holds all that was written to it, and no more. It
   * is durable: what an opening finds in the logs it writes to tables.
   *
   * @throws StoreCorruptException it holds something else
   */
  void requireHeld(Database database, Watermark held) {
    Watermark found = database.held();
    if (!found.equals(held)) {
      throw new StoreCorruptException(
          "database was opened anew and holds another commit than before: folder="
              + folder.path()
              + ", written="
              + held
              + ", found="
              + found);
    }
  }

  /** Null if what is there was never finished, and so never promised: it is begun again. */
  private @Nullable Database openToRead() throws IOException {
    Database found;
    try {
      Logs logs = isWithoutLogs() ? Logs.ANY : Logs.CHAINED;
      found = Database.open(data, memtableBytes, Access.READ_ONLY, logs);
    } catch (StoreException e) {
      if (isReadOnly() || !folder.watermark().equals(Watermark.NONE)) {
        throw e;
      }
      clear();
      return null;
    }
    try {
      folder.checkNothingLost(found.held(), options.lostCommits());
      checkNoGap(found);
      return found;
    } catch (RuntimeException | Error e) {
      found.close();
      throw e;
    }
  }

  /**
   * Beyond a gap there are rows, but not those that they follow from: nothing that once was, so
   * accepting lost commits is of no help but to look at it.
   */
  private void checkNoGap(Database found) throws IOException {
    OptionalLong logsBegin = LogFiles.firstNumber(data);
    boolean isOnlyLookedAt = isReadOnly() && options.lostCommits() == LostCommits.ACCEPT;
    if (isOnlyLookedAt || logsBegin.isEmpty()) {
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

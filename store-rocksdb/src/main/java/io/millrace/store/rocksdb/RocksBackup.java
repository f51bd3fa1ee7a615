package io.millrace.store.rocksdb;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.store.rocksdb.Settings.Logs;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * A copy of a store, which is a store of its own. On the same file system it shares the store's
 * tables, which never change, as hard links. Until its last step a copy is no store to anybody.
 *
 * <p>To another file system RocksDB would copy in one call that nothing can stop. So it makes its
 * links beside the store then, and this class copies their files from there, in steps.
 */
final class RocksBackup {

  /** The prefix of the folders in the store's folder that hold links while these are copied. */
  private static final String STAGE_PREFIX = "copying";

  private static final int STEP_BYTES = 1 << 20;

  private final Database database;
  private final Access access;
  private final Runnable checkOpen;

  /**
   * Creates a backup that has not begun.
   *
   * @param access how the database is open
   * @param checkOpen throws when the copy is to end
   */
  RocksBackup(Database database, Access access, Runnable checkOpen) {
    this.database = database;
    this.access = access;
    this.checkOpen = checkOpen;
  }

  /**
   * Writes a copy of the newest commit into an absent or empty folder, while the store goes on.
   *
   * @param above batches that follow, which the copy is to hold as well
   */
  void write(long memtableBytes, List<WriteBatch> above, Path target) {
    Path folder = StoreFolder.createEmpty(target);
    boolean isWhole = false;
    try {
      Path data = folder.resolve(DatabaseFolder.DATA_FOLDER);
      Watermark least = database.held();
      copyData(data);
      checkOpen.run();
      Watermark held = adopt(data, memtableBytes, least, above);
      StoreFolder.seal(folder, RocksLimits.NAME, LoggedStore.PLAIN_FORMAT, held);
      isWhole = true;
    } catch (RocksDBException e) {
      throw RocksErrors.translate("copy cannot be written", folder, e);
    } catch (IOException e) {
      throw new StoreException("copy cannot be written: folder=" + folder + ", reason=" + e, e);
    } finally {
      if (!isWhole) {
        StoreFolder.clear(folder);
      }
    }
  }

  /** Removes the folders that copies left in the store's folder when their process died. */
  static void clearStages(Path store) throws IOException {
    try (DirectoryStream<Path> stages = Files.newDirectoryStream(store, STAGE_PREFIX + "*")) {
      for (Path stage : stages) {
        delete(stage);
      }
    }
  }

  /** Copies the files of one folder into a new one, durably. */
  static void copyFiles(Path from, Path to, Runnable checkOpen) throws IOException {
    Files.createDirectory(to);
    byte[] step = new byte[STEP_BYTES];
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        // Streams, for an interrupt would close a channel.
        try (FileInputStream in = new FileInputStream(file.toFile());
            FileOutputStream out = new FileOutputStream(to.resolve(file.getFileName()).toFile())) {
          for (int length = in.read(step); length >= 0; length = in.read(step)) {
            checkOpen.run();
            out.write(step, 0, length);
          }
          out.getFD().sync();
        }
      }
    }
  }

  private void copyData(Path data) throws RocksDBException, IOException {
    if (access == Access.READ_ONLY) {
      // A checkpoint takes the tables alone, and here nobody writes what the log holds to one. But
      // then nobody changes the files either.
      copyFiles(database.folder(), data, checkOpen);
      return;
    }
    Path store = database.folder().getParent();
    if (Files.getFileStore(store).equals(Files.getFileStore(data.getParent()))) {
      database.copyTo(data);
      return;
    }
    Path stage = Files.createTempDirectory(store, STAGE_PREFIX);
    try {
      Path links = stage.resolve(DatabaseFolder.DATA_FOLDER);
      database.copyTo(links);
      copyFiles(links, data, checkOpen);
    } finally {
      delete(stage);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /**
   * Adds the batches that follow to the copy, and gives it an epoch of its own, durably.
   *
   * @param least the newest commit of the store before it was copied
   * @return the epoch and the newest commit of the copy
   */
  private static Watermark adopt(
      Path data, long memtableBytes, Watermark least, List<WriteBatch> above)
      throws RocksDBException {
    try (Database copy = Database.open(data, memtableBytes, Access.READ_WRITE, Logs.ANY)) {
      Watermark origin = copy.held();
      if (origin.compareTo(least) < 0) {
        throw new StoreException(
            "copy holds less than the store, and is no backup: folder="
                + data
                + ", held="
                + origin
                + ", store holds="
                + least);
      }
      long epoch = origin.epoch() + OrderedStore.COPY_EPOCH_STEP;
      long commit = origin.commit();
      for (WriteBatch batch : above) {
        copy.write(BatchBytes.of(batch, epoch));
        commit = batch.number();
      }
      Watermark held = new Watermark(epoch, commit);
      copy.commitHeld(held);
      return held;
    }
  }
}

package io.millrace.store.lmdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lmdbjava.LmdbException;

/**
 * Copies of a store: compacted, and stores of their own. Until its last step a copy is no store to
 * anybody.
 */
final class LmdbBackup {

  /** LMDB copies into empty folders only, and the copy's own holds its mark from the first. */
  private static final String PART_FOLDER = "part";

  private LmdbBackup() {}

  /**
   * Writes a copy of the newest commit into an absent or empty folder, beside whatever else goes
   * on.
   */
  static void write(Database database, Path target) {
    Path folder = StoreFolder.createEmpty(target);
    boolean isWhole = false;
    try {
      copyData(database, folder);
      Watermark held = adopt(folder);
      Files.deleteIfExists(folder.resolve(DataFile.LOCK_FILE_NAME));
      StoreFolder.seal(folder, LmdbStoreFactory.SCHEME, LmdbStore.FORMAT, held);
      isWhole = true;
    } catch (LmdbException e) {
      throw LmdbErrors.translate("copy cannot be written", folder, e);
    } catch (IOException e) {
      throw new StoreException("copy cannot be written: folder=" + folder + ", reason=" + e, e);
    } finally {
      if (!isWhole) {
        StoreFolder.clear(folder);
      }
    }
  }

  private static void copyData(Database database, Path folder) throws IOException {
    Path part = Files.createDirectory(folder.resolve(PART_FOLDER));
    try {
      database.copyTo(part);
      Files.move(part.resolve(DataFile.FILE_NAME), folder.resolve(DataFile.FILE_NAME));
    } finally {
      Files.deleteIfExists(part.resolve(DataFile.FILE_NAME));
      Files.delete(part);
    }
  }

  /** Gives the copy an epoch of its own, as durable as the copy will be once sealed. */
  private static Watermark adopt(Path folder) throws IOException {
    long usedBytes = DataFile.check(folder);
    long mapBytes = LmdbLimits.mapBytes(StoreOptions.STORE_BYTES_MAX_LEAST, usedBytes);
    try (DataFile file = DataFile.open(folder, mapBytes);
        Database copy = Database.open(folder, mapBytes, Access.READ_WRITE)) {
      file.reserve(LmdbLimits.bytesToOpen(usedBytes));
      Watermark held =
          copy.commitHeld(
              origin ->
                  new Watermark(origin.epoch() + OrderedStore.COPY_EPOCH_STEP, origin.commit()));
      copy.sync();
      return held;
    }
  }
}

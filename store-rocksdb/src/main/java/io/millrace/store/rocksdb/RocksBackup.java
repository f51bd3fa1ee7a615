package io.millrace.store.rocksdb;

import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreOptions.Access;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import io.millrace.store.rocksdb.Settings.Logs;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;

/**
 * Copies of a store, stores of their own. On the same file system they share its tables, which
 * never change, as hard links. Until its last step a copy is no store to anybody.
 */
final class RocksBackup {

  private RocksBackup() {}

  /**
   * Writes a copy of the newest commit into an absent or empty folder, beside whatever else goes
   * on.
   */
  static void write(Database database, long memtableBytes, Path target) {
    Path folder = StoreFolder.createEmpty(target);
    boolean isWhole = false;
    try {
      Path data = folder.resolve(RocksStore.DATA_FOLDER);
      database.copyTo(data);
      Watermark held = adopt(data, memtableBytes);
      StoreFolder.seal(folder, RocksStoreFactory.SCHEME, RocksStore.FORMAT, held);
      isWhole = true;
    } catch (RocksDBException e) {
      throw RocksErrors.translate("copy cannot be written", folder, e);
    } finally {
      if (!isWhole) {
        StoreFolder.clear(folder);
      }
    }
  }

  /** Gives the copy an epoch of its own, as durable as the copy will be once sealed. */
  private static Watermark adopt(Path data, long memtableBytes) throws RocksDBException {
    try (Database copy = Database.open(data, memtableBytes, Access.READ_WRITE, Logs.ANY)) {
      Watermark origin = copy.held();
      Watermark held =
          new Watermark(origin.epoch() + OrderedStore.COPY_EPOCH_STEP, origin.commit());
      copy.commitHeld(held);
      return held;
    }
  }
}

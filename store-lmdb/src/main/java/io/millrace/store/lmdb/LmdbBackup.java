package io.millrace.store.lmdb;

import io.millrace.memtable.LoggedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.folder.StoreFolder;
import io.millrace.spi.folder.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.lmdbjava.LmdbException;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * The copying of a store into a compacted store of its own. Until its last step a copy is no store
 * to anybody.
 *
 * <p>Rows are read through a view, in chunks, and written to a new environment in their order,
 * which fills its pages to the last. LMDB's own copy is one call that nothing can stop, inside the
 * very store that is to be closed; here a closing store refuses the next chunk, and that ends the
 * copy.
 */
final class LmdbBackup {

  private static final int CHUNK_ROWS_MAX = 16_384;
  private static final long CHUNK_BYTES_MAX = 4L << 20;
  private static final PutFlags[] IN_ORDER = {PutFlags.MDB_APPEND};

  /** A bound above all keys. */
  private static final byte[] END = new byte[LmdbLimits.KEY_BYTES_MAX + 1];

  static {
    Arrays.fill(END, (byte) 0xFF);
  }

  private final ReadView origin;
  private final Path folder;
  private final Database copy;
  private final NativeBytes key = NativeBytes.allocate(LmdbLimits.KEY_BYTES_MAX);

  private LmdbBackup(ReadView origin, Path folder, Database copy) {
    this.origin = origin;
    this.folder = folder;
    this.copy = copy;
  }

  /**
   * Writes a copy of what the view sees into an absent or empty folder, beside other work on the
   * store.
   *
   * @param held the epoch and the commit that the copy is to have
   * @param originBytes a length, in bytes, that the view's data file does not exceed
   */
  static void write(ReadView origin, Watermark held, long originBytes, Path target) {
    Path folder = StoreFolder.createEmpty(target);
    boolean isWhole = false;
    try {
      // Twice: a copy of rows that lie in full pages is no larger, but must never be refused.
      long mapBytes = LmdbLimits.mapBytes(StoreOptions.STORE_BYTES_MAX_LEAST, 2 * originBytes);
      long usedBytes = writeRows(origin, held, folder, mapBytes);
      try (DataFile file = DataFile.open(folder, mapBytes)) {
        file.reserve(LmdbLimits.bytesToOpen(usedBytes));
      }
      StoreFolder.seal(folder, LmdbLimits.NAME, LoggedStore.PLAIN_FORMAT, held);
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

  /**
   * Writes all rows and the commit record, and syncs. Returns how many bytes of the new file are in
   * use.
   */
  private static long writeRows(ReadView origin, Watermark held, Path folder, long mapBytes) {
    try (Database copy = Database.openCopy(folder, mapBytes)) {
      LmdbBackup backup = new LmdbBackup(origin, folder, copy);
      try {
        backup.writeRows();
      } finally {
        backup.key.free();
      }
      copy.commitHeld(none -> held);
      copy.sync();
      return copy.usedBytes();
    }
  }

  private void writeRows() {
    byte[] last = {};
    Chunk chunk;
    do {
      try (Txn<NativeBytes> txn = copy.beginWrite()) {
        chunk = new Chunk(txn, last);
        // No key lies between a key and the same with a zero behind it.
        byte[] from = last.length == 0 ? last : Arrays.copyOf(last, last.length + 1);
        origin.scan(from, END, CHUNK_ROWS_MAX, chunk);
        txn.commit();
        last = chunk.last;
      }
    } while (chunk.rowCount > 0);
  }

  /** The rows that are written in one transaction. */
  private final class Chunk implements ReadView.RowVisitor {

    private final Txn<NativeBytes> txn;
    private byte[] last;
    private int rowCount;
    private long bytes;

    Chunk(Txn<NativeBytes> txn, byte[] last) {
      this.txn = txn;
      this.last = last;
    }

    @Override
    public boolean visit(byte[] rowKey, byte[] value) {
      try {
        copy.rows().reserve(txn, key.set(rowKey), value.length, IN_ORDER).set(value);
      } catch (LmdbException e) {
        throw LmdbErrors.translate("copy cannot be written", folder, e);
      }
      last = rowKey;
      rowCount++;
      bytes += rowKey.length + (long) value.length;
      return bytes < CHUNK_BYTES_MAX;
    }
  }
}

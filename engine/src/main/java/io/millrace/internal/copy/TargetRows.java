package io.millrace.internal.copy;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Row;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.WriteBatch;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a store in the making: changed in batches that are written when they have grown to
 * the soft limits, and read as if they were all one. For one thread, which becomes the store's
 * writer.
 */
final class TargetRows implements AutoCloseable {

  private static final int BATCH_OPERATIONS_MAX = 4_096;
  private static final long BATCH_BYTES_MAX = 4L << 20;

  private final OrderedStore store;
  private WriteBatch batch;
  private @Nullable ReadView view;

  TargetRows(OrderedStore store) {
    this.store = store;
    this.batch = new WriteBatch(store.lastCommit() + 1);
  }

  OrderedStore store() {
    return store;
  }

  /** Returns the key's value; null if there is none. */
  byte @Nullable [] get(byte[] key) {
    int index = batch.find(key);
    return index == WriteBatch.ABSENT ? view().get(key) : batch.value(index);
  }

  boolean has(byte[] key) {
    return get(key) != null;
  }

  /**
   * Sets a row.
   *
   * @throws StoreException the store does not take rows of that size
   */
  void put(byte[] key, byte[] value) {
    StoreInfo info = store.info();
    long bytes = (long) key.length + value.length;
    if (key.length > info.keyBytesMax()
        || value.length > info.valueBytesMax()
        || bytes > info.batchBytesMax()) {
      throw new StoreException(
          "row is too large for this kind of store: store="
              + info.name()
              + ", key="
              + Bytes.hex(key)
              + ", bytes="
              + bytes
              + ", longest key="
              + info.keyBytesMax()
              + ", longest value="
              + info.valueBytesMax());
    }
    flushIfFull(bytes);
    batch.put(key, value);
  }

  void delete(byte[] key) {
    flushIfFull(key.length);
    batch.delete(key);
  }

  /** Hands over the rows of the range, in key order, as they were when their chunk was read. */
  void each(byte[] startInclusive, byte[] endExclusive, BiConsumer<byte[], byte[]> consumer) {
    List<Row> chunk = chunk(startInclusive, endExclusive, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        consumer.accept(row.key(), row.value());
      }
      byte[] from = Bytes.successor(chunk.get(chunk.size() - 1).key());
      chunk = chunk(from, endExclusive, Row.CHUNK_ROWS_MAX);
    }
  }

  /** Returns the first rows of the range, with all changes so far. */
  List<Row> chunk(byte[] startInclusive, byte[] endExclusive, int rowCountMax) {
    flush();
    return SourceRows.chunk(view(), startInclusive, endExclusive, rowCountMax);
  }

  /** Writes the batch that is left and makes everything durable. */
  void finish() {
    flush();
    store.sync();
  }

  @Override
  public void close() {
    closeView();
  }

  private void flushIfFull(long moreBytes) {
    if (batch.size() >= BATCH_OPERATIONS_MAX || batch.bytes() + moreBytes > BATCH_BYTES_MAX) {
      flush();
    }
  }

  /** Writes the batch as it is. */
  void flush() {
    if (batch.isEmpty()) {
      return;
    }
    closeView();
    // All of it is synced at the end.
    batch.want(WriteBatch.Wanted.BUFFERED);
    store.write(batch);
    batch = new WriteBatch(store.lastCommit() + 1);
  }

  private ReadView view() {
    ReadView open = view;
    if (open == null) {
      open = store.read();
      view = open;
    }
    return open;
  }

  private void closeView() {
    if (view != null) {
      view.close();
      view = null;
    }
  }
}

package io.millrace.internal.copy;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.Row;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a store that nobody writes to, read through short views: each ends with the chunk
 * that it was opened for, so that no amount of rows keeps a store from reusing space. For one
 * thread.
 */
final class SourceRows implements AutoCloseable {

  private final OrderedStore store;
  private final long commit;
  private ReadView view;
  private int lookups;

  SourceRows(OrderedStore store) {
    this.store = store;
    this.view = store.read();
    this.commit = view.commit();
  }

  /** Returns the key's value; null if there is none. */
  byte @Nullable [] get(byte[] key) {
    if (++lookups > Row.CHUNK_ROWS_MAX) {
      renew();
    }
    return view.get(key);
  }

  /**
   * Hands over the rows of the range, in key order, to a consumer that may look up others and go
   * over other ranges meanwhile.
   */
  void each(byte[] startInclusive, byte[] endExclusive, BiConsumer<byte[], byte[]> consumer) {
    byte[] from = startInclusive;
    List<Row> chunk = chunk(view, from, endExclusive, Row.CHUNK_ROWS_MAX);
    while (!chunk.isEmpty()) {
      for (Row row : chunk) {
        consumer.accept(row.key(), row.value());
      }
      from = Bytes.successor(chunk.get(chunk.size() - 1).key());
      renew();
      chunk = chunk(view, from, endExclusive, Row.CHUNK_ROWS_MAX);
    }
  }

  /** Returns the first key of the range; null if there is none. */
  byte @Nullable [] first(byte[] startInclusive, byte[] endExclusive) {
    List<Row> first = chunk(view, startInclusive, endExclusive, 1);
    return first.isEmpty() ? null : first.get(0).key();
  }

  /**
   * Returns the first rows of the range, at most as many as asked for and hardly more than {@link
   * Row#CHUNK_BYTES_MAX}: only none means that the range is at its end.
   */
  static List<Row> chunk(
      ReadView view, byte[] startInclusive, byte[] endExclusive, int rowCountMax) {
    Row.Chunk chunk = new Row.Chunk();
    if (Arrays.compareUnsigned(startInclusive, endExclusive) < 0) {
      view.scan(startInclusive, endExclusive, rowCountMax, chunk::add);
    }
    return chunk.rows();
  }

  @Override
  public void close() {
    view.close();
  }

  private void renew() {
    view.close();
    view = store.read();
    lookups = 0;
    if (view.commit() != commit) {
      throw new IllegalStateException(
          "store was written to while it was copied: commit="
              + commit
              + ", found="
              + view.commit());
    }
  }
}

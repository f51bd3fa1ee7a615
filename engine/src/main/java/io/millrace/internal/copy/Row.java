package io.millrace.internal.copy;

import io.millrace.spi.ReadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One row as it is stored. The arrays are shared: nobody may change them. */
record Row(byte[] key, byte[] value) {

  /** Most rows that are in memory at once. */
  static final int CHUNK_ROWS_MAX = 1_000;

  /** Most values that are in memory at once, in bytes, beside the one that goes over it. */
  private static final long CHUNK_BYTES_MAX = 8L << 20;

  /** Takes one row; may look up others and go over other ranges meanwhile. */
  @FunctionalInterface
  interface Consumer {
    void take(byte[] key, byte[] value);
  }

  /**
   * The first rows of the range, at most as many as asked for and hardly more than {@link
   * #CHUNK_BYTES_MAX}: only none means that the range is at its end.
   */
  static List<Row> chunk(
      ReadView view, byte[] startInclusive, byte[] endExclusive, int rowCountMax) {
    List<Row> rows = new ArrayList<>();
    if (Arrays.compareUnsigned(startInclusive, endExclusive) >= 0) {
      return rows;
    }
    long[] bytes = {0};
    view.scan(
        startInclusive,
        endExclusive,
        rowCountMax,
        (key, value) -> {
          rows.add(new Row(key, value));
          bytes[0] += value.length;
          return bytes[0] < CHUNK_BYTES_MAX;
        });
    return rows;
  }
}

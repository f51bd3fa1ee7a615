package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.List;

/** One row as it is stored. The arrays are shared: nobody may change them. */
public record Row(byte[] key, byte[] value) {

  /** Most rows that are in memory at once, and that one short view goes over. */
  public static final int CHUNK_ROWS_MAX = 1_000;

  /** Most values that are in memory at once, in bytes, beside the one that goes over it. */
  public static final long CHUNK_BYTES_MAX = 8L << 20;

  /** Rows of a scan, which takes them one by one. For one thread. */
  public static final class Chunk {

    private final List<Row> rows = new ArrayList<>();
    private long bytes;

    /** Takes a row; answers whether there is room for the next. */
    public boolean add(byte[] key, byte[] value) {
      rows.add(new Row(key, value));
      bytes += value.length;
      return bytes < CHUNK_BYTES_MAX;
    }

    public List<Row> rows() {
      return rows;
    }
  }
}

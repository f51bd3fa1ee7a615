package io.millrace.internal.format;

import java.util.ArrayList;
import java.util.List;

/** A row as it is stored. The arrays are shared: nobody may change them. */
public record Row(byte[] key, byte[] value) {

  /** The most rows that are in memory at once, and that one short view goes over. */
  public static final int CHUNK_ROWS_MAX = 1_000;

  /**
   * The most bytes of values that are in memory at once, not counting the value that exceeds it.
   */
  public static final long CHUNK_BYTES_MAX = 8L << 20;

  /** A list of rows that a scan fills one by one. For one thread. */
  public static final class Chunk {

    private final List<Row> rows = new ArrayList<>();
    private long bytes;

    /** Adds a row; returns whether there is room for the next. */
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

package io.millrace.internal.transition;

import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows that the requests of a group want to see, read together before any of them is carried out.
 */
public final class RowReads {

  private final List<byte[]> keys = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  /** A row as it was before the group. */
  public static final class Row {
    private final byte[] key;
    private byte @Nullable [] value;
    private @Nullable StoreException failure;

    private Row(byte[] key) {
      this.key = key;
    }

    byte[] key() {
      return key;
    }

    /**
     * What it holds, or null.
     *
     * @throws StoreException it could not be read
     */
    byte @Nullable [] value() {
      if (failure != null) {
        throw failure;
      }
      return value;
    }

    private void readFrom(Supplier<ReadView> view) {
      try {
        value = view.get().get(key);
      } catch (StoreException e) {
        failure = e;
      }
    }
  }

  /** Wants a row; it is there when the transition is applied. */
  public Row want(byte[] key) {
    Row row = new Row(key);
    keys.add(key);
    rows.add(row);
    return row;
  }

  /**
   * Reads everything that is wanted, in one round trip; no round trip if nothing is. If that fails,
   * each row is read by itself, so that only those fail who want one that cannot be read.
   */
  public void fetch(Supplier<ReadView> view) {
    if (keys.isEmpty()) {
      return;
    }
    try {
      List<byte @Nullable []> values = view.get().getAll(keys);
      for (int i = 0; i < rows.size(); i++) {
        rows.get(i).value = values.get(i);
      }
    } catch (StoreException e) {
      rows.forEach(row -> row.readFrom(view));
    }
    keys.clear();
    rows.clear();
  }
}

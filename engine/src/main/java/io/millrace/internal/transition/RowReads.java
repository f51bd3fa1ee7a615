package io.millrace.internal.transition;

import io.millrace.spi.ReadView;
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

    private Row(byte[] key) {
      this.key = key;
    }

    byte[] key() {
      return key;
    }

    byte @Nullable [] value() {
      return value;
    }
  }

  /** Wants a row; it is there when the transition is applied. */
  public Row want(byte[] key) {
    Row row = new Row(key);
    keys.add(key);
    rows.add(row);
    return row;
  }

  /** Reads everything that is wanted, in one round trip; no round trip if nothing is. */
  public void fetch(Supplier<ReadView> view) {
    if (keys.isEmpty()) {
      return;
    }
    List<byte @Nullable []> values = view.get().getAll(keys);
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i).value = values.get(i);
    }
    keys.clear();
    rows.clear();
  }
}

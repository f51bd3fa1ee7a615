package io.millrace.internal.copy;

import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MetaKeys;
import io.millrace.internal.format.MetaRecords;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreCorruptException;
import io.millrace.spi.StoreException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A store from when it begins to be a copy until it is whole.
 *
 * <p>Its first row, durable before any other, says that it is unfinished; the last batch takes that
 * row away. So a copy that was cut off at any point is known for what it is: no engine opens it,
 * and a new copy into it begins by emptying it.
 */
final class NewCopy implements AutoCloseable {

  private static final byte[] FIRST_KEY = {0};

  private final TargetRows rows;

  private NewCopy(TargetRows rows) {
    this.rows = rows;
  }

  /**
   * Begins a copy of the store of this id.
   *
   * @throws StoreException the target holds rows and is no unfinished copy; nothing was written
   */
  static NewCopy begin(OrderedStore target, String origin) {
    refuseOccupied(target);
    TargetRows rows = new TargetRows(target);
    rows.each(
        FIRST_KEY,
        end(target),
        (key, value) -> {
          if (!Arrays.equals(key, MetaKeys.COPYING)) {
            rows.delete(key);
          }
        });
    rows.put(MetaKeys.COPYING, new MetaRecords.Copying(origin).encode());
    rows.finish();
    return new NewCopy(rows);
  }

  /** Refuses a store that holds rows, unless they are those of an unfinished copy. */
  static void refuseOccupied(OrderedStore target) {
    try (ReadView view = target.read()) {
      boolean isEmpty = SourceRows.chunk(view, FIRST_KEY, end(target), 1).isEmpty();
      if (!isEmpty && view.get(MetaKeys.COPYING) == null) {
        throw new StoreException(
            "store to copy into is not empty; name an empty or absent one: store="
                + target.info().name()
                + ", id="
                + target.info().storeId());
      }
    }
  }

  /** Refuses a store that is itself an unfinished copy. */
  static void refuseUnfinished(OrderedStore store) {
    try (ReadView view = store.read()) {
      if (view.get(MetaKeys.COPYING) != null) {
        throw new StoreCorruptException(MetaRecords.Copying.UNFINISHED);
      }
    }
  }

  /** Returns the exclusive end of all keys that the store can hold, which limits their length. */
  static byte[] end(OrderedStore store) {
    byte[] end = new byte[store.info().keyBytesMax() + 1];
    Arrays.fill(end, (byte) 0xff);
    return end;
  }

  static byte[] start() {
    return FIRST_KEY;
  }

  TargetRows rows() {
    return rows;
  }

  /**
   * Ends the copy with its last batch: on return the copy is whole and durable.
   *
   * @param format the row without which a store counts as new; null if the origin has none
   */
  void finish(byte @Nullable [] format) {
    // By itself: what the format row says of the other rows must not be there before them.
    rows.flush();
    if (format != null) {
      rows.put(MetaKeys.FORMAT, format);
    }
    rows.delete(MetaKeys.COPYING);
    rows.finish();
  }

  @Override
  public void close() {
    rows.close();
  }

  /** Tells whether this class alone writes the row. */
  static boolean isOwn(byte[] key) {
    return key[0] == Keyspace.META.code()
        && (Arrays.equals(key, MetaKeys.FORMAT) || Arrays.equals(key, MetaKeys.COPYING));
  }
}

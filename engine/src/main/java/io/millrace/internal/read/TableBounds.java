package io.millrace.internal.read;

import io.millrace.api.Codec;
import io.millrace.api.Limits;
import io.millrace.api.TableRange;
import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.TableKeys;
import io.millrace.internal.format.TableRowKeys;
import io.millrace.options.Checks;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range of a user's table in bytes. Cursors are keys of the table without the incarnation of its
 * rows, so that pages go on in the table that is there, also if it was dropped and made anew.
 *
 * @param table the table's name
 * @param from the least of the user's keys within
 * @param to the exclusive end of them; null if there is none
 */
record TableBounds(String table, byte[] from, byte @Nullable [] to) {

  private static final byte[] LEAST = {};

  static <K> TableBounds of(String table, TableRange<K> range, Codec<K> keys) {
    if (range instanceof TableRange.Prefix<K> prefix) {
      byte[] start = bytes(keys, prefix.prefix());
      return new TableBounds(table, start, endOf(start));
    }
    TableRange.Between<K> between = (TableRange.Between<K>) range;
    return new TableBounds(
        table,
        between.from().map(key -> bytes(keys, key)).orElse(LEAST),
        between.to().map(key -> bytes(keys, key)).orElse(null));
  }

  /** Returns the key as bytes, if it is not too long. */
  static <K> byte[] bytes(Codec<K> keys, K key) {
    return Checks.bytes(
        "key", keys.encode(Objects.requireNonNull(key, "key")), Limits.KEY_BYTES_MAX);
  }

  /**
   * Returns the exclusive end of the keys with the prefix; null if it is nothing but 0xFF bytes,
   * since no key comes after those.
   */
  private static byte @Nullable [] endOf(byte[] prefix) {
    for (byte part : prefix) {
      if (part != (byte) 0xff) {
        return Bytes.prefixEnd(prefix);
      }
    }
    return null;
  }

  /** Returns the part of the range from the cursor on, if there is one. */
  TableBounds from(Optional<String> cursor) {
    if (cursor.isEmpty()) {
      return this;
    }
    byte[] start = TableKeys.start(table);
    // Behind the end there is nothing, and the cursor of a last page may be there.
    KeyRange all = new KeyRange(join(start, from), TableKeys.end(table));
    byte[] key = Cursors.parse(cursor.get(), all);
    return new TableBounds(table, Arrays.copyOfRange(key, start.length, key.length), to);
  }

  /** Returns the part of the range behind the user's key. */
  TableBounds after(byte[] userKey) {
    return new TableBounds(table, Bytes.successor(userKey), to);
  }

  /** Returns the cursor of the page that begins at the user's key. */
  String cursorAt(byte[] userKey) {
    return Cursors.at(join(TableKeys.start(table), userKey));
  }

  /** Returns the cursor of the page that begins behind the user's key. */
  String cursorAfter(byte[] userKey) {
    return Cursors.after(join(TableKeys.start(table), userKey));
  }

  /** Returns the keys of the rows of an incarnation of the table. */
  KeyRange rows(long incarnation) {
    byte[] start = TableRowKeys.start(table, incarnation);
    return new KeyRange(
        join(start, from), to == null ? TableRowKeys.end(table, incarnation) : join(start, to));
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableBounds that
        && table.equals(that.table)
        && Arrays.equals(from, that.from)
        && Arrays.equals(to, that.to);
  }

  @Override
  public int hashCode() {
    return 31 * table.hashCode() + Arrays.hashCode(from);
  }
}

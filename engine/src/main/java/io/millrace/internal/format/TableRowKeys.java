package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Keys of the rows of users' tables, in the order of the user's keys. A table that is dropped and
 * made anew has another incarnation, which is higher, and so has none of the earlier rows. On disk,
 * never change.
 *
 * <pre>
 *  offset 0       1 byte   Keyspace.TABLE
 *         1       1 byte   n, length of the table's name
 *         2       n bytes  table's name, UTF-8
 *         2 + n   8 bytes  incarnation, big-endian, never negative
 *         10 + n  k bytes  user's key, to the end
 * </pre>
 */
public final class TableRowKeys {

  /** The bytes of a key without the table's name and the user's key. */
  public static final int OTHER_BYTES = 10;

  private static final int INCARNATION_BYTES = 8;

  private TableRowKeys() {}

  public static byte[] key(String table, long incarnation, byte[] userKey) {
    KeyLayout.checkPart("table key", userKey);
    byte[] start = start(table, incarnation);
    byte[] key = Arrays.copyOf(start, start.length + userKey.length);
    System.arraycopy(userKey, 0, key, start.length, userKey.length);
    return key;
  }

  /** Returns the least key of the incarnation: that of the row whose user's key is empty. */
  public static byte[] start(String table, long incarnation) {
    byte[] name = TableKeys.start(table);
    byte[] start = Arrays.copyOf(name, name.length + INCARNATION_BYTES);
    Bytes.putLong(start, name.length, KeyLayout.checkSequence(incarnation));
    return start;
  }

  /** Returns the exclusive end of the incarnation's keys. */
  public static byte[] end(String table, long incarnation) {
    byte[] end = start(table, incarnation);
    // The highest wraps into the sign bit, which is right in unsigned order.
    Bytes.putLong(end, end.length - INCARNATION_BYTES, incarnation + 1);
    return end;
  }

  /** Returns the incarnation of the row; negative if its key is too short to say. */
  public static long incarnation(byte[] key) {
    byte[] rest = TableKeys.userKey(key);
    return rest.length < INCARNATION_BYTES ? -1 : Bytes.getLong(rest, 0);
  }

  /** Returns the user's key of a row of the table. */
  public static byte[] userKey(String table, byte[] key) {
    return Arrays.copyOfRange(key, OTHER_BYTES + table.getBytes(UTF_8).length, key.length);
  }
}

package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import io.millrace.options.Checks;
import io.millrace.tables.ReservedTables;
import java.util.Arrays;

/**
 * Keys of the rows of tables. Inside a table they are in the order of the table's own keys. Those
 * of users' tables begin with a number ({@link TableRowKeys}). On disk, never change.
 *
 * <pre>
 *  offset 0      1 byte   Keyspace.TABLE
 *         1      1 byte   n, length of the table's name
 *         2      n bytes  table's name, UTF-8
 *         2 + n  k bytes  key in the table, to the end
 * </pre>
 */
public final class TableKeys {

  private static final int TABLE = 1;

  private TableKeys() {}

  public static byte[] key(String table, byte[] userKey) {
    KeyLayout.checkPart("table key", userKey);
    byte[] prefix = start(table);
    byte[] key = Arrays.copyOf(prefix, prefix.length + userKey.length);
    System.arraycopy(userKey, 0, key, prefix.length, userKey.length);
    return key;
  }

  public static String table(byte[] key) {
    int end = keyOffset(key);
    try {
      return StrictUtf8.decode(key, TABLE + 1, end);
    } catch (IllegalArgumentException e) {
      throw KeyLayout.corrupt(Keyspace.TABLE, key, String.valueOf(e.getMessage()));
    }
  }

  public static byte[] userKey(byte[] key) {
    return Arrays.copyOfRange(key, keyOffset(key), key.length);
  }

  /** Returns the least key of the table. */
  public static byte[] start(String table) {
    byte[] name = Checks.text("table", table, 1, Limits.NAME_BYTES_MAX).getBytes(UTF_8);
    byte[] start = KeyLayout.key(Keyspace.TABLE, TABLE + 1 + name.length);
    KeyLayout.putPart(start, TABLE, name);
    return start;
  }

  /** Returns the exclusive end of the table's keys. */
  public static byte[] end(String table) {
    return Bytes.prefixEnd(start(table));
  }

  /** Tells whether the row is of a table of the engine's own. */
  public static boolean isOwn(byte[] key) {
    return ReservedTables.isHidden(table(key));
  }

  private static int keyOffset(byte[] key) {
    boolean hasName = key.length > TABLE && key[0] == Keyspace.TABLE.code();
    int offset = hasName ? TABLE + 1 + (key[TABLE] & 0xff) : Integer.MAX_VALUE;
    if (offset > key.length) {
      throw KeyLayout.corrupt(Keyspace.TABLE, key, "not a key of the keyspace");
    }
    return offset;
  }
}

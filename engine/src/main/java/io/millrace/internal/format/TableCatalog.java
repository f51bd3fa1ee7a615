package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which tables users have, and which were dropped and still have rows: two tables of the engine's
 * own. On disk, never change.
 *
 * <pre>
 *  table millrace.tables          key: the table's name, UTF-8
 *                                 value: a record in the user's bytes, sealed with the row's key
 *                                   tag 1  number  incarnation of its rows
 *  table millrace.dropped-tables  key: incarnation (8 bytes, big-endian), the table's name, UTF-8
 *                                 value: none; only that the row is there means something
 * </pre>
 */
public final class TableCatalog {

  private static final String TABLES = TableKeys.OWN_PREFIX + "tables";
  private static final String DROPPED = TableKeys.OWN_PREFIX + "dropped-tables";
  private static final byte[] TABLES_START = TableKeys.start(TABLES);
  private static final byte[] DROPPED_START = TableKeys.start(DROPPED);
  private static final int INCARNATION = 1;
  private static final int INCARNATION_BYTES = 8;
  private static final byte[] NOTHING = {};

  private TableCatalog() {}

  /** The row that says that there is a table of this name. */
  public static byte[] key(String table) {
    return TableKeys.key(TABLES, table.getBytes(UTF_8));
  }

  /** Whether the key, which is in {@link Keyspace#TABLE}, is of such a row. */
  public static boolean isKey(byte[] key) {
    return begins(key, TABLES_START) && isName(key, TABLES_START.length);
  }

  /** Least key of such a row. */
  public static byte[] start() {
    return TABLES_START.clone();
  }

  /** Exclusive end of the keys of such rows. */
  public static byte[] end() {
    return TableKeys.end(TABLES);
  }

  /** The name that the row's key says. */
  public static String table(byte[] key) {
    byte[] name = TableKeys.userKey(key);
    return StrictUtf8.decode(name, 0, name.length);
  }

  public static byte[] encode(byte[] key, long incarnation) {
    byte[] content = RecordWriter.ofThread().number(INCARNATION, incarnation, 0).seal(key);
    return new TableRecord(content).encode(key);
  }

  /**
   * The incarnation of the table's rows, from 1 on.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static long decode(byte[] key, byte[] value) {
    byte[] content = TableRecord.decode(key, value).bytes();
    long incarnation = RecordReader.decode(Keyspace.TABLE, key, content, TableCatalog::read);
    if (incarnation <= 0) {
      throw KeyLayout.corrupt(Keyspace.TABLE, key, "table has no incarnation");
    }
    return incarnation;
  }

  private static long read(RecordReader reader) {
    long incarnation = 0;
    while (reader.next()) {
      if (reader.tag() == INCARNATION) {
        incarnation = reader.number();
      }
    }
    return incarnation;
  }

  /** The row that says that rows of a table that was dropped are to be removed. */
  public static byte[] droppedKey(String table, long incarnation) {
    byte[] name = table.getBytes(UTF_8);
    byte[] key = new byte[INCARNATION_BYTES + name.length];
    Bytes.putLong(key, 0, incarnation);
    System.arraycopy(name, 0, key, INCARNATION_BYTES, name.length);
    return TableKeys.key(DROPPED, key);
  }

  /** Whether the key, which is in {@link Keyspace#TABLE}, is of such a row. */
  public static boolean isDroppedKey(byte[] key) {
    int name = DROPPED_START.length + INCARNATION_BYTES;
    return begins(key, DROPPED_START)
        && key.length > name
        && droppedIncarnation(key) >= 0
        && isName(key, name);
  }

  /** Least key of such a row. */
  public static byte[] droppedStart() {
    return DROPPED_START.clone();
  }

  /** Exclusive end of the keys of such rows. */
  public static byte[] droppedEnd() {
    return TableKeys.end(DROPPED);
  }

  /** The name of the table that was dropped. */
  public static String droppedTable(byte[] key) {
    byte[] rest = TableKeys.userKey(key);
    return StrictUtf8.decode(rest, INCARNATION_BYTES, rest.length);
  }

  /** The incarnation that was dropped. */
  public static long droppedIncarnation(byte[] key) {
    return Bytes.getLong(TableKeys.userKey(key), 0);
  }

  public static byte[] encodeDropped(byte[] key) {
    return new TableRecord(NOTHING).encode(key);
  }

  /**
   * Of which incarnation the table's rows are; 0 if the row at the key, or its absence, says that
   * there is no such table.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static long decodeOrNone(byte[] key, byte @Nullable [] value) {
    return value == null ? 0 : decode(key, value);
  }

  /** Whether what follows in the key can be the name of a table. */
  private static boolean isName(byte[] key, int offset) {
    try {
      Limits.tableName(StrictUtf8.decode(key, offset, key.length));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean begins(byte[] key, byte[] start) {
    int length = start.length;
    return key.length > length && Arrays.equals(key, 0, length, start, 0, length);
  }
}

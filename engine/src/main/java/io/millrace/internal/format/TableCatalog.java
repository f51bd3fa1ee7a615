package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.tables.ReservedTables;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of users' tables, and of tables that were dropped and still have rows. It is in two
 * tables of the engine's own. On disk, never change.
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

  private static final String TABLES = ReservedTables.PREFIX + "tables";
  private static final String DROPPED = ReservedTables.PREFIX + "dropped-tables";
  private static final byte[] TABLES_START = TableKeys.start(TABLES);
  private static final byte[] DROPPED_START = TableKeys.start(DROPPED);
  private static final int INCARNATION = 1;
  private static final int INCARNATION_BYTES = 8;
  private static final byte[] NOTHING = {};

  private TableCatalog() {}

  /** Returns the key of the row that says that there is a table of this name. */
  public static byte[] key(String table) {
    return TableKeys.key(TABLES, table.getBytes(UTF_8));
  }

  /**
   * Tells whether the key, which is in {@link Keyspace#TABLE}, is of the row of an existing table.
   */
  public static boolean isKey(byte[] key) {
    return begins(key, TABLES_START) && isName(key, TABLES_START.length);
  }

  /** Returns the least key of the rows of existing tables. */
  public static byte[] start() {
    return TABLES_START.clone();
  }

  /** Returns the exclusive end of the rows of existing tables. */
  public static byte[] end() {
    return TableKeys.end(TABLES);
  }

  /** Returns the table's name in the row's key. */
  public static String table(byte[] key) {
    byte[] name = TableKeys.userKey(key);
    return StrictUtf8.decode(name, 0, name.length);
  }

  public static byte[] encode(byte[] key, long incarnation) {
    byte[] content = RecordWriter.ofThread().number(INCARNATION, incarnation, 0).seal(key);
    return new TableRecord(content).encode(key);
  }

  /**
   * Returns the incarnation of the table's rows, from 1 on.
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

  /** Returns the key of the row that says that rows of a dropped table are to be removed. */
  public static byte[] droppedKey(String table, long incarnation) {
    byte[] name = table.getBytes(UTF_8);
    byte[] key = new byte[INCARNATION_BYTES + name.length];
    Bytes.putLong(key, 0, incarnation);
    System.arraycopy(name, 0, key, INCARNATION_BYTES, name.length);
    return TableKeys.key(DROPPED, key);
  }

  /**
   * Tells whether the key, which is in {@link Keyspace#TABLE}, is of the row of a dropped table.
   */
  public static boolean isDroppedKey(byte[] key) {
    int name = DROPPED_START.length + INCARNATION_BYTES;
    return begins(key, DROPPED_START)
        && key.length > name
        && droppedIncarnation(key) >= 0
        && isName(key, name);
  }

  /** Returns the least key of the rows of dropped tables. */
  public static byte[] droppedStart() {
    return DROPPED_START.clone();
  }

  /** Returns the exclusive end of the rows of dropped tables. */
  public static byte[] droppedEnd() {
    return TableKeys.end(DROPPED);
  }

  /** Returns the name of the dropped table in the row's key. */
  public static String droppedTable(byte[] key) {
    byte[] rest = TableKeys.userKey(key);
    return StrictUtf8.decode(rest, INCARNATION_BYTES, rest.length);
  }

  /** Returns the dropped incarnation in the row's key. */
  public static long droppedIncarnation(byte[] key) {
    return Bytes.getLong(TableKeys.userKey(key), 0);
  }

  public static byte[] encodeDropped(byte[] key) {
    return new TableRecord(NOTHING).encode(key);
  }

  /**
   * Returns the incarnation of the table's rows; 0 if the row at the key is absent, for then there
   * is no such table.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static long decodeOrNone(byte[] key, byte @Nullable [] value) {
    return value == null ? 0 : decode(key, value);
  }

  /** Tells whether the rest of the key, from the offset on, can be the name of a user's table. */
  private static boolean isName(byte[] key, int offset) {
    try {
      ReservedTables.userName(StrictUtf8.decode(key, offset, key.length));
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

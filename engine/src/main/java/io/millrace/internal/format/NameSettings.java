package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.QueueSettings;
import io.millrace.tables.ReservedTables;
import java.util.Arrays;

/**
 * The settings for all queues of a name, of all tenants. They are rows of a table of the engine's
 * own. The keys in it are the names in UTF-8, and the values are queue records without a number. On
 * disk, never change.
 */
public final class NameSettings {

  /** The table's name. No table of a user has a name that begins so. */
  private static final String TABLE = ReservedTables.PREFIX + "name-settings";

  private static final byte[] START = TableKeys.start(TABLE);

  private NameSettings() {}

  public static byte[] key(String queueName) {
    return TableKeys.key(TABLE, queueName.getBytes(UTF_8));
  }

  /** Tells whether the key, which is in {@link Keyspace#TABLE}, is of such a row. */
  public static boolean isKey(byte[] key) {
    int length = START.length;
    return key.length > length && Arrays.equals(key, 0, length, START, 0, length);
  }

  /** Returns the name whose row is at the key. */
  public static String queueName(byte[] key) {
    return new String(TableKeys.userKey(key), UTF_8);
  }

  public static byte[] encode(byte[] key, QueueSettings settings) {
    QueueRecord record = QueueRecord.selfMade(0, 0).withSettings(settings);
    return new TableRecord(record.encode(key)).encode(key);
  }

  /**
   * Returns the settings in the row.
   *
   * @throws io.millrace.api.CorruptDataException the row is damaged
   */
  public static QueueSettings decode(byte[] key, byte[] value) {
    byte[] record = TableRecord.decode(key, value).bytes();
    return QueueRecord.decode(Keyspace.TABLE, key, record).settings();
  }
}

package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;

/**
 * Keys that say when to look at which queue, the earliest first. The value is empty. On disk, never
 * change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.AGENDA
 *         1  8 bytes  time, epoch ms, big-endian, never negative
 *         9  4 bytes  queue number, big-endian
 * </pre>
 */
public final class AgendaKeys {

  public static final int LENGTH_BYTES = 13;

  /** The time of the row of a deleted queue that is being emptied: before any other. */
  public static final long DROPPED_MS = 0;

  private static final int TIME = 1;
  private static final int QUEUE = KeyLayout.QUEUE_AFTER_TIME;

  private AgendaKeys() {}

  public static byte[] key(long timeMs, int queue) {
    byte[] key = KeyLayout.key(Keyspace.AGENDA, LENGTH_BYTES);
    Bytes.putLong(key, TIME, KeyLayout.checkTime(timeMs));
    Bytes.putInt(key, QUEUE, KeyLayout.checkQueue(queue));
    return key;
  }

  public static long timeMs(byte[] key) {
    return Bytes.getLong(check(key), TIME);
  }

  public static int queue(byte[] key) {
    return Bytes.getInt(check(key), QUEUE);
  }

  /** Returns the least key of this time or a later one. */
  public static byte[] start(long timeMsInclusive) {
    return bound(KeyLayout.checkTime(timeMsInclusive));
  }

  /** Returns the exclusive end of the keys up to and with this time. */
  public static byte[] end(long timeMsInclusive) {
    return bound(KeyLayout.checkTime(timeMsInclusive) + 1);
  }

  /**
   * Returns the value, which is empty: the row is in its key alone.
   *
   * @throws CorruptDataException the value is not empty
   */
  static byte[] checkValue(byte[] key, byte[] value) {
    if (value.length > 0) {
      throw KeyLayout.corrupt(Keyspace.AGENDA, key, "value is not empty");
    }
    return value;
  }

  private static byte[] bound(long timeMs) {
    byte[] bound = KeyLayout.key(Keyspace.AGENDA, QUEUE);
    Bytes.putLong(bound, TIME, timeMs);
    return bound;
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.AGENDA, LENGTH_BYTES);
  }
}

package io.millrace.internal.format;

/**
 * Keys of the signals that are kept for one job until it waits for them. Each job that has some has
 * one such row, followed by those of {@link InboxPayloadKeys}. None of them is a key of {@link
 * SignalKeys}, for no signal has an empty name. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SIGNAL
 *         1  4 bytes  queue number, big-endian, never 0
 *         5  1 byte   0
 *         6  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class InboxKeys {

  static final int LENGTH_BYTES = 14;
  private static final int BIRTH = 6;

  private InboxKeys() {}

  public static byte[] key(int queue, long birth) {
    byte[] key = KeyLayout.queueKey(Keyspace.SIGNAL, queue, LENGTH_BYTES);
    Bytes.putLong(key, BIRTH, KeyLayout.checkSequence(birth));
    return key;
  }

  /** Tells whether the key, which is in SIGNAL, has this layout, whatever its queue. */
  public static boolean isLaidOutSo(byte[] key) {
    return key.length == LENGTH_BYTES && key[KeyLayout.AFTER_QUEUE] == 0;
  }

  /** Tells whether the key, which is in SIGNAL, is of the signals that are kept for one job. */
  public static boolean isOne(byte[] key) {
    return isLaidOutSo(key) && KeyLayout.queue(key) != BroadcastKeys.QUEUE;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(KeyLayout.check(key, Keyspace.SIGNAL, LENGTH_BYTES));
  }

  public static long birth(byte[] key) {
    return Bytes.getLong(KeyLayout.check(key, Keyspace.SIGNAL, LENGTH_BYTES), BIRTH);
  }
}

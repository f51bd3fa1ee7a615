package io.millrace.internal.format;

/**
 * Keys of broadcasts that found nobody waiting, the last one per name. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SIGNAL
 *         1  4 bytes  queue number, big-endian
 *         5  1 byte   n, length of the signal
 *         6  n bytes  signal
 * </pre>
 */
public final class SignalKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;

  private SignalKeys() {}

  public static byte[] key(int queue, byte[] signal) {
    return KeyLayout.partKey(Keyspace.SIGNAL, queue, "signal", signal, PART + 1);
  }

  /** Tells whether the sound key, which is in SIGNAL, is of a broadcast that is kept. */
  public static boolean isOne(byte[] key) {
    return !InboxKeys.isLaidOutSo(key) && !InboxPayloadKeys.isOne(key);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] signal(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.SIGNAL, PART, 0);
  }
}

package io.millrace.internal.format;

/**
 * Keys of jobs that wait for a signal. Those of one queue that wait for one name are neighbours. On
 * disk, never change.
 *
 * <pre>
 *  offset 0      1 byte   Keyspace.WAITING
 *         1      4 bytes  queue number, big-endian
 *         5      1 byte   n, length of the signal
 *         6      n bytes  signal
 *         6 + n  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class WaitingKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;
  private static final int REST_BYTES = 8;

  private WaitingKeys() {}

  public static byte[] key(int queue, byte[] signal, long birth) {
    byte[] key =
        KeyLayout.partKey(Keyspace.WAITING, queue, "signal", signal, PART + 1 + REST_BYTES);
    Bytes.putLong(key, key.length - REST_BYTES, KeyLayout.checkSequence(birth));
    return key;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] signal(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  public static long birth(byte[] key) {
    return Bytes.getLong(check(key), key.length - REST_BYTES);
  }

  /** Returns the least key of the jobs that wait for the signal. */
  public static byte[] start(int queue, byte[] signal) {
    return KeyLayout.partKey(Keyspace.WAITING, queue, "signal", signal, PART + 1);
  }

  /** Returns the exclusive end of the jobs that wait for the signal. */
  public static byte[] end(int queue, byte[] signal) {
    return Bytes.prefixEnd(start(queue, signal));
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.WAITING, PART, REST_BYTES);
  }
}

package io.millrace.internal.format;

/**
 * Keys that lead from a job's id to its record. Each job that is not where it was born has one. On
 * disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.MOVED
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class MovedKeys {

  public static final int LENGTH_BYTES = 13;

  private static final int BIRTH = KeyLayout.AFTER_QUEUE;

  private MovedKeys() {}

  public static byte[] key(int queue, long birth) {
    return KeyLayout.jobStart(Keyspace.MOVED, queue, birth);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static long birth(byte[] key) {
    return Bytes.getLong(check(key), BIRTH);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.MOVED, LENGTH_BYTES);
  }
}

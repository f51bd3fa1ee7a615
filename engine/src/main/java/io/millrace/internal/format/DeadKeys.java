package io.millrace.internal.format;

/**
 * Keys of dead letters, the oldest first. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.DEAD
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  time of death, epoch ms, big-endian, never negative
 *        13  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class DeadKeys {

  public static final int LENGTH_BYTES = TimedLayout.LENGTH_BYTES;

  private DeadKeys() {}

  public static byte[] key(int queue, long timeMs, long birth) {
    return TimedLayout.key(Keyspace.DEAD, queue, timeMs, birth);
  }

  public static int queue(byte[] key) {
    return TimedLayout.queue(Keyspace.DEAD, key);
  }

  public static long timeMs(byte[] key) {
    return TimedLayout.timeMs(Keyspace.DEAD, key);
  }

  public static long birth(byte[] key) {
    return TimedLayout.birth(Keyspace.DEAD, key);
  }
}

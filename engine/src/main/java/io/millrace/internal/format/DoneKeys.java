package io.millrace.internal.format;

/**
 * Keys of completed jobs that are kept for their results, the oldest first. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.DONE
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  time of completion, epoch ms, big-endian, never negative
 *        13  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class DoneKeys {

  public static final int LENGTH_BYTES = TimedLayout.LENGTH_BYTES;

  private DoneKeys() {}

  public static byte[] key(int queue, long timeMs, long birth) {
    return TimedLayout.key(Keyspace.DONE, queue, timeMs, birth);
  }

  public static int queue(byte[] key) {
    return TimedLayout.queue(Keyspace.DONE, key);
  }

  public static long timeMs(byte[] key) {
    return TimedLayout.timeMs(Keyspace.DONE, key);
  }

  public static long birth(byte[] key) {
    return TimedLayout.birth(Keyspace.DONE, key);
  }
}

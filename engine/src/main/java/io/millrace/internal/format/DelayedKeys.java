package io.millrace.internal.format;

/**
 * Keys of jobs that will be ready later, the earliest first. On disk, never change.
 *
 * <p>The time is engine time for a job that waits until an instant, and steady time for a job that
 * waits for a length of time. The job's record says which.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.DELAYED
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  visibleAt, epoch ms, big-endian, never negative
 *        13  8 bytes  birth sequence, big-endian, never negative
 * </pre>
 */
public final class DelayedKeys {

  public static final int LENGTH_BYTES = TimedLayout.LENGTH_BYTES;

  private DelayedKeys() {}

  public static byte[] key(int queue, long visibleAtMs, long birth) {
    return TimedLayout.key(Keyspace.DELAYED, queue, visibleAtMs, birth);
  }

  public static int queue(byte[] key) {
    return TimedLayout.queue(Keyspace.DELAYED, key);
  }

  public static long visibleAtMs(byte[] key) {
    return TimedLayout.timeMs(Keyspace.DELAYED, key);
  }

  public static long birth(byte[] key) {
    return TimedLayout.birth(Keyspace.DELAYED, key);
  }
}

package io.millrace.internal.format;

/**
 * Keys of broadcasts that have not yet reached all jobs that waited for them. There are few at a
 * time, and those of all queues are together, so that an opening finds them with one look. On disk,
 * never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SIGNAL
 *         1  4 bytes  0, the number of no queue
 *         5  1 byte   0
 *         6  8 bytes  sequence of the broadcast, big-endian, never negative
 * </pre>
 */
public final class BroadcastKeys {

  /** The number that stands in these keys for that of a queue. */
  public static final int QUEUE = 0;

  private BroadcastKeys() {}

  public static byte[] key(long sequence) {
    return InboxKeys.key(QUEUE, sequence);
  }

  /** Tells whether the key, which is in SIGNAL, is of a broadcast. */
  public static boolean isOne(byte[] key) {
    return InboxKeys.isLaidOutSo(key) && KeyLayout.queue(key) == QUEUE;
  }

  public static long sequence(byte[] key) {
    return InboxKeys.birth(key);
  }
}

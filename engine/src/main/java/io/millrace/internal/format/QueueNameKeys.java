package io.millrace.internal.format;

/**
 * Keys that lead from a queue's number to its name. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.QUEUE_NAME
 *         1  4 bytes  queue number, big-endian
 * </pre>
 */
public final class QueueNameKeys {

  public static final int LENGTH_BYTES = 5;

  private QueueNameKeys() {}

  public static byte[] key(int queue) {
    return KeyLayout.queueKey(Keyspace.QUEUE_NAME, queue, LENGTH_BYTES);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(KeyLayout.check(key, Keyspace.QUEUE_NAME, LENGTH_BYTES));
  }
}

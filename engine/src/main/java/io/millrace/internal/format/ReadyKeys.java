package io.millrace.internal.format;

/**
 * Keys of jobs that may be claimed now, and of leased ones: the first unleased key of a queue is
 * the next to serve. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.READY
 *         1  4 bytes  queue number, big-endian
 *         5  1 byte   127 - priority: highest first
 *         6  8 bytes  ready sequence, big-endian, never negative
 * </pre>
 */
public final class ReadyKeys {

  public static final int LENGTH_BYTES = 14;

  private static final int PRIORITY = KeyLayout.AFTER_QUEUE;
  private static final int SEQUENCE = PRIORITY + 1;

  private ReadyKeys() {}

  public static byte[] key(int queue, int priority, long sequence) {
    byte[] key = KeyLayout.queueKey(Keyspace.READY, queue, LENGTH_BYTES);
    key[PRIORITY] = KeyLayout.encodePriority(priority);
    Bytes.putLong(key, SEQUENCE, KeyLayout.checkSequence(sequence));
    return key;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static int priority(byte[] key) {
    return KeyLayout.decodePriority(check(key)[PRIORITY]);
  }

  public static long sequence(byte[] key) {
    return Bytes.getLong(check(key), SEQUENCE);
  }

  /**
   * Returns the exclusive end of the queue's keys of this priority; lower priorities come after it.
   */
  public static byte[] priorityEnd(int queue, int priority) {
    if (priority == Byte.MIN_VALUE) {
      return Keyspace.READY.queueEnd(queue);
    }
    byte[] end = KeyLayout.queueKey(Keyspace.READY, queue, SEQUENCE);
    end[PRIORITY] = (byte) (KeyLayout.encodePriority(priority) + 1);
    return end;
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.READY, LENGTH_BYTES);
  }
}

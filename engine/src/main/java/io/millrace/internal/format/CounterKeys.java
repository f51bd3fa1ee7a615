package io.millrace.internal.format;

/**
 * Keys of counters, one per queue. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.COUNTERS
 *         1  4 bytes  queue number, big-endian
 * </pre>
 */
public final class CounterKeys {

  public static final int LENGTH_BYTES = 5;

  private CounterKeys() {}

  public static byte[] key(int queue) {
    return KeyLayout.queueKey(Keyspace.COUNTERS, queue, LENGTH_BYTES);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(KeyLayout.check(key, Keyspace.COUNTERS, LENGTH_BYTES));
  }
}

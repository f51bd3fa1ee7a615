package io.millrace.internal.format;

/**
 * The layout that DELAYED, DEAD and DONE keys share: queue, time, birth sequence. The classes of
 * these keys have the byte diagram.
 */
final class TimedLayout {

  static final int LENGTH_BYTES = 21;

  private static final int TIME = KeyLayout.AFTER_QUEUE;
  private static final int BIRTH = TIME + 8;

  private TimedLayout() {}

  static byte[] key(Keyspace keyspace, int queue, long timeMs, long birth) {
    byte[] key = KeyLayout.queueKey(keyspace, queue, LENGTH_BYTES);
    Bytes.putLong(key, TIME, KeyLayout.checkTime(timeMs));
    Bytes.putLong(key, BIRTH, KeyLayout.checkSequence(birth));
    return key;
  }

  static int queue(Keyspace keyspace, byte[] key) {
    return KeyLayout.queue(KeyLayout.check(key, keyspace, LENGTH_BYTES));
  }

  static long timeMs(Keyspace keyspace, byte[] key) {
    return Bytes.getLong(KeyLayout.check(key, keyspace, LENGTH_BYTES), TIME);
  }

  static long birth(Keyspace keyspace, byte[] key) {
    return Bytes.getLong(KeyLayout.check(key, keyspace, LENGTH_BYTES), BIRTH);
  }
}

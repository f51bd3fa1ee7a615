package io.millrace.internal.format;

/**
 * Keys of the rows that log changes of many concurrency keys at once. They come before all {@link
 * SlotKeys} of their queue, for no concurrency key in use is empty. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SLOT
 *         1  4 bytes  queue number, big-endian
 *         5  1 byte   0
 *         6  8 bytes  number of the row, big-endian: rises
 * </pre>
 */
public final class SlotLogKeys {

  private static final int MARK = KeyLayout.AFTER_QUEUE;
  private static final int NUMBER = MARK + 1;
  private static final int LENGTH = NUMBER + 8;

  private SlotLogKeys() {}

  public static byte[] key(int queue, long number) {
    byte[] key = KeyLayout.queueKey(Keyspace.SLOT, queue, LENGTH);
    Bytes.putLong(key, NUMBER, KeyLayout.checkSequence(number));
    return key;
  }

  /** Tells whether the key, which is in SLOT, is of such a row. */
  public static boolean isOne(byte[] key) {
    return key.length == LENGTH && key[MARK] == 0;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static long number(byte[] key) {
    return Bytes.getLong(check(key), NUMBER);
  }

  /** Returns the exclusive end of the queue's keys. */
  public static byte[] end(int queue) {
    byte[] end = KeyLayout.queueKey(Keyspace.SLOT, queue, MARK + 1);
    end[MARK] = 1;
    return end;
  }

  private static byte[] check(byte[] key) {
    KeyLayout.check(key, Keyspace.SLOT, LENGTH);
    if (key[MARK] != 0) {
      throw KeyLayout.corrupt(Keyspace.SLOT, key, "not a key of a log");
    }
    return key;
  }
}

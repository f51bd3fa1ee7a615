package io.millrace.internal.format;

/**
 * Keys of concurrency keys in use. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.SLOT
 *         1  4 bytes  queue number, big-endian
 *         5  1 byte   n, length of the concurrency key
 *         6  n bytes  concurrency key
 * </pre>
 */
public final class SlotKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;

  private SlotKeys() {}

  public static byte[] key(int queue, byte[] concurrencyKey) {
    return KeyLayout.partKey(Keyspace.SLOT, queue, "concurrency key", concurrencyKey, PART + 1);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] concurrencyKey(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.SLOT, PART, 0);
  }
}

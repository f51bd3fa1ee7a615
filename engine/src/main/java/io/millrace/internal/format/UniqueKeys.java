package io.millrace.internal.format;

/**
 * Keys of unique keys that are taken. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.UNIQUE
 *         1  4 bytes  queue number, big-endian
 *         5  1 byte   n, length of the unique key
 *         6  n bytes  unique key
 * </pre>
 */
public final class UniqueKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;

  private UniqueKeys() {}

  public static byte[] key(int queue, byte[] uniqueKey) {
    return KeyLayout.partKey(Keyspace.UNIQUE, queue, "unique key", uniqueKey, PART + 1);
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] uniqueKey(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.UNIQUE, PART, 0);
  }
}

package io.millrace.internal.format;

/**
 * Keys of jobs that wait for a slot: the first key of a concurrency key is the next to get one. On
 * disk, never change.
 *
 * <pre>
 *  offset 0      1 byte   Keyspace.BLOCKED
 *         1      4 bytes  queue number, big-endian
 *         5      1 byte   n, length of the concurrency key
 *         6      n bytes  concurrency key
 *         6 + n  1 byte   127 - priority: highest first
 *         7 + n  8 bytes  sequence at entry, big-endian, never negative
 * </pre>
 *
 * <p>If the concurrency key belongs to the engine, its jobs wait for a turn among all queues
 * ({@link TurnKeys}). Then there is one byte more before the length: 0, which is the length of no
 * key.
 */
public final class BlockedKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;
  private static final int REST_BYTES = 9;

  private BlockedKeys() {}

  public static byte[] key(int queue, byte[] concurrencyKey, int priority, long sequence) {
    byte[] key =
        KeyLayout.partKey(
            Keyspace.BLOCKED, queue, "concurrency key", concurrencyKey, PART + 1 + REST_BYTES);
    key[key.length - REST_BYTES] = KeyLayout.encodePriority(priority);
    Bytes.putLong(key, key.length - 8, KeyLayout.checkSequence(sequence));
    return key;
  }

  /** Returns the key of a job whose concurrency key belongs to the engine. */
  public static byte[] keyOfEngine(int queue, byte[] concurrencyKey, int priority, long sequence) {
    if (concurrencyKey.length == 0) {
      throw new IllegalArgumentException("concurrency key is empty");
    }
    int lengthBytes = PART + 2 + KeyLayout.checkPart("concurrency key", concurrencyKey).length;
    byte[] key = KeyLayout.queueKey(Keyspace.BLOCKED, queue, lengthBytes + REST_BYTES);
    KeyLayout.putPart(key, PART + 1, concurrencyKey);
    key[lengthBytes] = KeyLayout.encodePriority(priority);
    Bytes.putLong(key, key.length - 8, KeyLayout.checkSequence(sequence));
    return key;
  }

  /** Tells whether the concurrency key in the given key belongs to the engine. */
  public static boolean isOfEngine(byte[] key) {
    return key.length > PART + 2 + REST_BYTES && key[PART] == 0;
  }

  /**
   * Returns the least key of a queue's jobs whose concurrency keys belong to the queue: they come
   * last.
   */
  public static byte[] startOfQueueKeys(int queue) {
    byte[] key = KeyLayout.queueKey(Keyspace.BLOCKED, queue, PART + 1);
    key[PART] = 1;
    return key;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static byte[] concurrencyKey(byte[] key) {
    return KeyLayout.part(check(key), isOfEngine(key) ? PART + 1 : PART);
  }

  public static int priority(byte[] key) {
    return KeyLayout.decodePriority(check(key)[key.length - REST_BYTES]);
  }

  public static long sequence(byte[] key) {
    return Bytes.getLong(check(key), key.length - 8);
  }

  /**
   * Returns the least key of the concurrency key's jobs; the concurrency key belongs to the queue.
   */
  public static byte[] start(int queue, byte[] concurrencyKey) {
    return KeyLayout.partKey(Keyspace.BLOCKED, queue, "concurrency key", concurrencyKey, PART + 1);
  }

  /** Returns the exclusive end of the concurrency key's jobs; see {@link #start}. */
  public static byte[] end(int queue, byte[] concurrencyKey) {
    return Bytes.prefixEnd(start(queue, concurrencyKey));
  }

  /** Returns the least key of the jobs in a queue that have this concurrency key of the engine. */
  public static byte[] startOfEngine(int queue, byte[] concurrencyKey) {
    byte[] part = KeyLayout.checkPart("concurrency key", concurrencyKey);
    byte[] key = KeyLayout.queueKey(Keyspace.BLOCKED, queue, PART + 2 + part.length);
    KeyLayout.putPart(key, PART + 1, part);
    return key;
  }

  /** Returns the exclusive end of the keys that begin at {@link #startOfEngine}. */
  public static byte[] endOfEngine(int queue, byte[] concurrencyKey) {
    return Bytes.prefixEnd(startOfEngine(queue, concurrencyKey));
  }

  private static byte[] check(byte[] key) {
    int at = isOfEngine(key) ? PART + 1 : PART;
    return KeyLayout.checkPart(key, Keyspace.BLOCKED, at, REST_BYTES);
  }
}

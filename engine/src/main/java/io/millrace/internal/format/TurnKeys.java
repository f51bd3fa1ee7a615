package io.millrace.internal.format;

import java.util.Arrays;

/**
 * Keys that tell which job is next to get a slot of a concurrency key of the engine, over all
 * queues: the first key is that of the next job. They follow the key of the SLOT row that counts
 * the jobs. On disk, never change.
 *
 * <pre>
 *  offset 0      1 byte   Keyspace.SLOT
 *         1      4 bytes  0, which is no queue's number
 *         5      1 byte   n, length of the concurrency key
 *         6      n bytes  concurrency key
 *         6 + n  1 byte   127 - priority: highest first
 *         7 + n  8 bytes  sequence at entry, big-endian, never negative
 * </pre>
 */
public final class TurnKeys {

  private static final int PART = KeyLayout.AFTER_QUEUE;
  private static final int REST_BYTES = 9;

  private TurnKeys() {}

  public static byte[] key(byte[] concurrencyKey, int priority, long sequence) {
    byte[] key =
        KeyLayout.partKey(
            Keyspace.SLOT,
            SlotKeys.ENGINE,
            "concurrency key",
            concurrencyKey,
            PART + 1 + REST_BYTES);
    key[key.length - REST_BYTES] = KeyLayout.encodePriority(priority);
    Bytes.putLong(key, key.length - 8, KeyLayout.checkSequence(sequence));
    return key;
  }

  /** Returns the key of the turn of the job whose record is at the key in BLOCKED. */
  public static byte[] ofBlocked(byte[] blockedKey) {
    return key(
        BlockedKeys.concurrencyKey(blockedKey),
        BlockedKeys.priority(blockedKey),
        BlockedKeys.sequence(blockedKey));
  }

  /** Returns the key of the record of the turn's job, which is in the queue of this number. */
  public static byte[] blockedKey(byte[] key, int queue) {
    return BlockedKeys.keyOfEngine(queue, concurrencyKey(key), priority(key), sequence(key));
  }

  /** Tells whether the key, which is in SLOT, is that of a turn. */
  public static boolean isTurn(byte[] key) {
    return SlotKeys.isOfEngine(key) && key.length == PART + 1 + (key[PART] & 0xff) + REST_BYTES;
  }

  public static byte[] concurrencyKey(byte[] key) {
    return KeyLayout.part(check(key), PART);
  }

  /** Returns the key of the SLOT row that counts the turn's job. */
  public static byte[] slotKey(byte[] key) {
    return Arrays.copyOf(check(key), key.length - REST_BYTES);
  }

  public static int priority(byte[] key) {
    return KeyLayout.decodePriority(check(key)[key.length - REST_BYTES]);
  }

  public static long sequence(byte[] key) {
    return Bytes.getLong(check(key), key.length - 8);
  }

  /** Returns the least key of the turns that are counted by the SLOT row. */
  public static byte[] start(byte[] slotKey) {
    return Bytes.successor(slotKey);
  }

  /** Returns the exclusive end of the turns that are counted by the SLOT row. */
  public static byte[] end(byte[] slotKey) {
    return Bytes.prefixEnd(slotKey);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.checkPart(key, Keyspace.SLOT, PART, REST_BYTES);
  }
}

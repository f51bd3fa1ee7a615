package io.millrace.internal.format;

import java.util.Arrays;

/**
 * Keys of corrupt rows that were set aside. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.QUARANTINE
 *         1  8 bytes  time of the find, epoch ms, big-endian, never negative
 *         9  k bytes  key as it was found, to the end; the first 502 bytes of it
 * </pre>
 *
 * <p>The longest key of ours has 465 bytes; only a foreign one can be cut.
 */
public final class QuarantineKeys {

  /**
   * The longest key, in bytes, that is kept whole. More would not fit into the 511 bytes of the
   * smallest store's keys.
   */
  public static final int ORIGINAL_BYTES_MAX = 502;

  private static final int TIME = 1;
  private static final int ORIGINAL = TIME + 8;

  private QuarantineKeys() {}

  public static byte[] key(long timeMs, byte[] originalKey) {
    int length = Math.min(originalKey.length, ORIGINAL_BYTES_MAX);
    byte[] key = KeyLayout.key(Keyspace.QUARANTINE, ORIGINAL + length);
    Bytes.putLong(key, TIME, KeyLayout.checkTime(timeMs));
    System.arraycopy(originalKey, 0, key, ORIGINAL, length);
    return key;
  }

  public static long timeMs(byte[] key) {
    return Bytes.getLong(check(key), TIME);
  }

  public static byte[] originalKey(byte[] key) {
    return Arrays.copyOfRange(check(key), ORIGINAL, key.length);
  }

  private static byte[] check(byte[] key) {
    if (key.length < ORIGINAL || key[0] != Keyspace.QUARANTINE.code()) {
      throw KeyLayout.corrupt(Keyspace.QUARANTINE, key, "not a key of the keyspace");
    }
    return key;
  }
}

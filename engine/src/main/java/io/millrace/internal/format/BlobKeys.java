package io.millrace.internal.format;

/**
 * Keys of payloads and states that are too large for the job's record. A checkpoint writes the next
 * version. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.BLOB
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  birth sequence, big-endian, never negative
 *        13  4 bytes  version, big-endian, never negative
 * </pre>
 */
public final class BlobKeys {

  public static final int LENGTH_BYTES = 17;

  private static final int BIRTH = KeyLayout.AFTER_QUEUE;
  private static final int VERSION = BIRTH + 8;

  private BlobKeys() {}

  public static byte[] key(int queue, long birth, int version) {
    byte[] key = KeyLayout.queueKey(Keyspace.BLOB, queue, LENGTH_BYTES);
    Bytes.putLong(key, BIRTH, KeyLayout.checkSequence(birth));
    Bytes.putInt(key, VERSION, KeyLayout.checkCount("version", version));
    return key;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static long birth(byte[] key) {
    return Bytes.getLong(check(key), BIRTH);
  }

  public static int version(byte[] key) {
    return Bytes.getInt(check(key), VERSION);
  }

  public static byte[] jobStart(int queue, long birth) {
    return KeyLayout.jobStart(Keyspace.BLOB, queue, birth);
  }

  public static byte[] jobEnd(int queue, long birth) {
    return KeyLayout.jobEnd(Keyspace.BLOB, queue, birth);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.BLOB, LENGTH_BYTES);
  }
}

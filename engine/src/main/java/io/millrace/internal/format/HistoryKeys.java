package io.millrace.internal.format;

/**
 * Keys of finished attempts, the oldest first. Attempts are counted over the job's whole life: a
 * redriven job, whose attempts start afresh, adds to its history. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.HISTORY
 *         1  4 bytes  queue number, big-endian
 *         5  8 bytes  birth sequence, big-endian, never negative
 *        13  4 bytes  attempt, big-endian, never negative
 * </pre>
 */
public final class HistoryKeys {

  public static final int LENGTH_BYTES = 17;

  private static final int BIRTH = KeyLayout.AFTER_QUEUE;
  private static final int ATTEMPT = BIRTH + 8;

  private HistoryKeys() {}

  public static byte[] key(int queue, long birth, int attempt) {
    byte[] key = KeyLayout.queueKey(Keyspace.HISTORY, queue, LENGTH_BYTES);
    Bytes.putLong(key, BIRTH, KeyLayout.checkSequence(birth));
    Bytes.putInt(key, ATTEMPT, KeyLayout.checkCount("attempt", attempt));
    return key;
  }

  public static int queue(byte[] key) {
    return KeyLayout.queue(check(key));
  }

  public static long birth(byte[] key) {
    return Bytes.getLong(check(key), BIRTH);
  }

  public static int attempt(byte[] key) {
    return Bytes.getInt(check(key), ATTEMPT);
  }

  public static byte[] jobStart(int queue, long birth) {
    return KeyLayout.jobStart(Keyspace.HISTORY, queue, birth);
  }

  public static byte[] jobEnd(int queue, long birth) {
    return KeyLayout.jobEnd(Keyspace.HISTORY, queue, birth);
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.HISTORY, LENGTH_BYTES);
  }
}

package io.millrace.internal.format;

import org.jspecify.annotations.Nullable;

/**
 * Keys of what is due, the earliest first. What comes after a length of time, by steady time, is
 * before what comes at an instant, by engine time. On disk, never change.
 *
 * <pre>
 *  offset 0  1 byte   Keyspace.TIMER
 *         1  8 bytes  time, epoch ms, big-endian, never negative; of an instant 2^62 more
 *         9  4 bytes  queue number, big-endian
 *        13  1 byte   kind
 *        14  8 bytes  birth sequence, or the hash of a unique key or signal, big-endian
 * </pre>
 */
public final class TimerKeys {

  public static final int LENGTH_BYTES = 22;

  /** The number that is added to an instant, so that instants come after all steady times. */
  public static final long INSTANT = 1L << 62;

  private static final int TIME = 1;
  private static final int QUEUE = KeyLayout.QUEUE_AFTER_TIME;
  private static final int KIND = QUEUE + 4;
  private static final int OWNER = KIND + 1;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private TimerKeys() {}

  /** The kinds of what is due. The codes are on disk, never change. */
  public enum Kind {
    /** The end of the time to live of a job that was not started, which is then dropped. */
    TIME_TO_LIVE(1, JobField.EXPIRE_AT_MS),
    /** The end of a job's wait for a signal, from which it wakes up timed out. */
    WAIT_DEADLINE(2, JobField.WAIT_TIMER_MS),
    /** The end of the time for which a unique key is taken. */
    UNIQUE_EXPIRY(3, null),
    /** The end of the time for which a broadcast is kept that found nobody waiting. */
    SIGNAL_EXPIRY(4, null),
    /** The end of the time for which a completed job is kept. */
    RESULT_RETENTION(5, JobField.EXPIRE_AT_MS),
    /** The end of the time for which a dead letter is kept. */
    DEAD_RETENTION(6, JobField.EXPIRE_AT_MS);

    private static final Kind[] BY_CODE = new Kind[values().length];

    static {
      for (Kind kind : values()) {
        BY_CODE[kind.code - 1] = kind;
      }
    }

    private final byte code;
    private final @Nullable JobField<Long> timeOfJob;

    Kind(int code, @Nullable JobField<Long> timeOfJob) {
      this.code = (byte) code;
      this.timeOfJob = timeOfJob;
    }

    public byte code() {
      return code;
    }

    /**
     * Returns the field of a job's record that names the time; null if the timer is not a job's,
     * but belongs to a unique key or a signal.
     */
    @Nullable JobField<Long> timeOfJob() {
      return timeOfJob;
    }

    /** Tells whether the timer ends the time for which a job that has ended is kept. */
    public boolean isRetention() {
      return this == RESULT_RETENTION || this == DEAD_RETENTION;
    }

    /** Tells whether the timer is a job's; which jobs have it, {@link StateTraits} says. */
    public boolean isOfJob() {
      return timeOfJob != null;
    }
  }

  public static byte[] key(long timeMs, int queue, Kind kind, long birthOrHash) {
    byte[] key = KeyLayout.key(Keyspace.TIMER, LENGTH_BYTES);
    Bytes.putLong(key, TIME, KeyLayout.checkTime(timeMs));
    Bytes.putInt(key, QUEUE, KeyLayout.checkQueue(queue));
    key[KIND] = kind.code();
    Bytes.putLong(key, OWNER, birthOrHash);
    return key;
  }

  /** Returns the time in the key: steady time, or an engine time plus {@link #INSTANT}. */
  public static long timeMs(byte[] key) {
    return Bytes.getLong(check(key), TIME);
  }

  public static int queue(byte[] key) {
    return Bytes.getInt(check(key), QUEUE);
  }

  public static Kind kind(byte[] key) {
    int code = check(key)[KIND];
    if (code < 1 || code > Kind.BY_CODE.length) {
      throw KeyLayout.corrupt(Keyspace.TIMER, key, "kind is not known: code=" + (code & 0xff));
    }
    return Kind.BY_CODE[code - 1];
  }

  public static long birthOrHash(byte[] key) {
    return Bytes.getLong(check(key), OWNER);
  }

  /** Returns the least key of this time or a later one. */
  public static byte[] start(long timeMsInclusive) {
    return bound(KeyLayout.checkTime(timeMsInclusive));
  }

  /** Returns the exclusive end of the keys up to and with this time. */
  public static byte[] end(long timeMsInclusive) {
    return bound(KeyLayout.checkTime(timeMsInclusive) + 1);
  }

  /**
   * Returns the hash that stands for a unique key or a signal: 64-bit FNV-1a. Two of the same hash
   * may share a row, whose record then names one of them. The other's own record still holds its
   * time, so nothing is served after it.
   */
  public static long hash(byte[] part) {
    long hash = FNV_OFFSET;
    for (byte b : part) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  private static byte[] bound(long timeMs) {
    byte[] bound = KeyLayout.key(Keyspace.TIMER, QUEUE);
    Bytes.putLong(bound, TIME, timeMs);
    return bound;
  }

  private static byte[] check(byte[] key) {
    return KeyLayout.check(key, Keyspace.TIMER, LENGTH_BYTES);
  }
}

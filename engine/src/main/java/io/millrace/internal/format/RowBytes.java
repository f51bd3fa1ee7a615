package io.millrace.internal.format;

import io.millrace.api.Backoff;
import io.millrace.api.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The most bytes that rows take in a batch, keys and values together. The costs that requests
 * declare are sums of these, so that no batch outgrows its store.
 */
public final class RowBytes {

  /** The key of a row of a job, which is all that its deletion takes. */
  public static final int KEY = 32;

  /** A number or a short field with its header. */
  private static final int FIELD = 11;

  /** A header of a job, without the characters of its name and value. */
  private static final int HEADER = 6;

  private static final int JOB_FIELDS =
      36 * FIELD + Limits.WORKER_BYTES_MAX + Limits.NAME_BYTES_MAX;

  /** A rate limit over all queues that a job names. */
  public static final int ENGINE_RATE = 4 * FIELD + Limits.KEY_BYTES_MAX;

  private static final int BACKOFF_LIST = Backoff.LIST_SIZE_MAX * 9;

  /**
   * A job's record with its payload, its state, its concurrency key and its rate limit inside. Not
   * counted are the text of its last error, its result, and the signal that it was told.
   */
  public static final int JOB =
      KEY
          + JOB_FIELDS
          + BACKOFF_LIST
          + 2 * Payload.INLINE_BYTES_MAX
          + HEADER * Limits.HEADER_COUNT_MAX
          + Limits.KEY_BYTES_MAX
          + ENGINE_RATE;

  /** The longest text of an error. */
  public static final int ERROR = Limits.ERROR_BYTES_MAX;

  /** The longest signal that a job is told, with its name. */
  public static final int SIGNAL = 2 * FIELD + Limits.KEY_BYTES_MAX + Limits.SIGNAL_BYTES_MAX;

  /** A payload and headers in a row of their own. */
  public static final int BLOB =
      KEY
          + 4 * FIELD
          + Limits.PAYLOAD_BYTES_MAX
          + Limits.HEADER_BYTES_MAX
          + HEADER * Limits.HEADER_COUNT_MAX;

  public static final int LEASE = KEY + 10 * FIELD + Limits.WORKER_BYTES_MAX;

  /** A MOVED row, which may contain a concurrency key, as a part of the key of the job's record. */
  public static final int MOVED = 3 * KEY + Limits.KEY_BYTES_MAX;

  public static final int TIMER = MOVED;

  /** The key of a unique key's row, which is all that its deletion takes. */
  public static final int UNIQUE_KEY = KEY + Limits.KEY_BYTES_MAX;

  /** The row of a unique key, the job's copy of the key, and the timer that frees it, twice. */
  public static final int UNIQUE = 2 * UNIQUE_KEY + 8 * FIELD + 2 * TIMER + Limits.KEY_BYTES_MAX;

  /** A finished attempt, without the text of its error. */
  public static final int HISTORY = KEY + 6 * FIELD + Limits.WORKER_BYTES_MAX;

  /** A tally: its name, its counts, the jobs that wait for it, and the queues of its jobs. */
  public static final int TALLY = KEY + 1_024;

  /** A result that a tally keeps, without the result itself. */
  public static final int TALLY_RESULT = KEY + 3 * FIELD + 2 * Long.BYTES;

  /** The longest key of a row of a table. */
  public static final int TABLE_KEY =
      TableRowKeys.OTHER_BYTES + Limits.NAME_BYTES_MAX + Limits.KEY_BYTES_MAX;

  /** A queue's settings, its name and its number. */
  public static final int QUEUE = 4 * Limits.NAME_BYTES_MAX + BACKOFF_LIST + 40 * FIELD;

  /** The bytes that setting a row aside takes, without the row itself. */
  public static final int QUARANTINE = 3 * Limits.NAME_BYTES_MAX + 1_024;

  /**
   * The rows of a job that moves: its record, deleted and put, its MOVED and TIMER rows, and its
   * attempt.
   */
  public static final int MOVE = JOB + HISTORY + MOVED + 2 * TIMER + 4 * KEY;

  /** A queue's counts and its agenda row, without its lines. */
  public static final int COUNTERS = 512;

  /** A line of a queue, in the queue's counts. */
  public static final int LINE = 24;

  /** The time of a commit. */
  public static final int TIME = KEY + 2 * FIELD;

  /** The row of the time, and the repairs of single rows. */
  public static final int MARGIN = 16 << 10;

  private RowBytes() {}

  /** Returns the bytes of a new job's record, whose payload may be in a row of its own. */
  public static long newJob(int contentBytes, int headerCount, @Nullable Backoff backoff) {
    int delays = backoff instanceof Backoff.Custom custom ? custom.delays().size() * 9 : 0;
    return 2 * KEY + JOB_FIELDS + 4 * FIELD + delays + contentBytes + (long) HEADER * headerCount;
  }
}

package io.millrace.internal.state;

import io.millrace.api.Limits;
import io.millrace.internal.format.RowBytes;

/**
 * The most that something adds to a batch. Whoever asks for room and whoever promises not to take
 * more says it with these, so that no batch outgrows its store.
 *
 * @param operations store operations
 * @param bytes keys and values of these
 */
public record Cost(int operations, long bytes) {

  public static final Cost NOTHING = new Cost(0, 0);

  /** A job is no more: its record, and what it owns, of which a unique key is the longest. */
  public static final Cost END =
      deletes(1 + Holdings.ROW_COUNT_MAX).plusBytes(Limits.KEY_BYTES_MAX);

  /** A job takes a unique key; before, a job that held it may be no more. */
  public static final Cost TAKE_KEY = new Cost(3, RowBytes.UNIQUE);

  /** The start of a job frees its unique key, which its record then says. */
  public static final Cost FREE_AT_START =
      new Cost(2, RowBytes.UNIQUE_KEY + RowBytes.JOB + RowBytes.ERROR + RowBytes.SIGNAL);

  /** A job that nobody works on moves, or is no more. */
  public static final Cost MOVE_OR_END =
      END.plus(new Cost(0, RowBytes.MOVE + RowBytes.ERROR + RowBytes.SIGNAL));

  /** What a queue has: COUNTERS, and AGENDA twice. */
  public static final Cost COUNTS = new Cost(3, RowBytes.COUNTERS);

  /** The row of a lease that was granted, and the end of its job's time to live. */
  public static final Cost GRANT = new Cost(2, RowBytes.LEASE + RowBytes.KEY);

  /** That row, which brings the counts of its queue along. */
  public static final Cost LEASE_ROW = GRANT.plus(COUNTS);

  /** The row of a concurrency key. */
  public static final Cost SLOT = new Cost(1, RowBytes.KEY + Limits.KEY_BYTES_MAX);

  /** The row of a turn among all queues for a concurrency key of the engine. */
  public static final Cost TURN = new Cost(1, 2L * RowBytes.KEY + Limits.KEY_BYTES_MAX);

  /** A blocked job becomes ready: BLOCKED, READY and MOVED. */
  public static final Cost HAND_ON =
      new Cost(3, RowBytes.JOB + RowBytes.ERROR + RowBytes.MOVED + 4 * RowBytes.KEY)
          .plusBytes(RowBytes.SIGNAL + Limits.KEY_BYTES_MAX);

  /** The same for a key of the engine: of whatever queue, with its turn and the key's row. */
  public static final Cost ENGINE_HAND_ON = HAND_ON.plus(TURN).plus(COUNTS).plus(SLOT);

  /** The rows of a queue: they go, or are put, or its agenda row moves. */
  public static final Cost QUEUE_ROWS = new Cost(6, RowBytes.QUEUE);

  /** Rows that are deleted. */
  public static Cost deletes(int count) {
    return new Cost(count, (long) count * RowBytes.KEY);
  }

  /** Both. */
  public Cost plus(Cost other) {
    return new Cost(operations + other.operations, bytes + other.bytes);
  }

  /** So many more bytes in the same rows. */
  public Cost plusBytes(long more) {
    return new Cost(operations, bytes + more);
  }

  /** That often. */
  public Cost times(int count) {
    return new Cost(operations * count, bytes * count);
  }
}

package io.millrace.internal.state;

import io.millrace.api.Limits;
import io.millrace.internal.format.RowBytes;

/**
 * The most that a change adds to a batch. Whoever asks for room, and whoever promises not to take
 * more, says it with these, so that no batch outgrows its store.
 *
 * @param operations the most store operations
 * @param bytes the most bytes of their keys and values
 */
public record Cost(int operations, long bytes) {

  public static final Cost NOTHING = new Cost(0, 0);

  /** The row of a tally whose counts change. */
  public static final Cost TALLY = new Cost(1, RowBytes.TALLY);

  /**
   * The end of a job: its record and the rows that it owns, of which a unique key's is the longest,
   * and the row of its tally.
   */
  public static final Cost END =
      deletes(1 + Holdings.ROW_COUNT_MAX).plusBytes(Limits.KEY_BYTES_MAX).plus(TALLY);

  /**
   * The taking of a unique key by a job: the key's row, its timer, and the timer of a row that it
   * replaces.
   */
  public static final Cost TAKE_KEY = new Cost(3, RowBytes.UNIQUE);

  /**
   * The release of a unique key when its job is started, with the job's record that then says so.
   */
  public static final Cost FREE_AT_START =
      new Cost(2, RowBytes.UNIQUE_KEY + RowBytes.JOB + RowBytes.ERROR + RowBytes.SIGNAL);

  /** The move or the end of a job that nobody works on. */
  public static final Cost MOVE_OR_END =
      END.plus(new Cost(0, RowBytes.MOVE + RowBytes.ERROR + RowBytes.SIGNAL));

  /** The counts of a queue: its row in COUNTERS, and its agenda row twice. */
  public static final Cost COUNTS = new Cost(3, RowBytes.COUNTERS);

  /**
   * The row of a lease that was granted, and the deletion of the timer of its job's time to live.
   */
  public static final Cost GRANT = new Cost(2, RowBytes.LEASE + RowBytes.KEY);

  /** The row of a lease, which brings the counts of its queue along. */
  public static final Cost LEASE_ROW = GRANT.plus(COUNTS);

  /** The row of a concurrency key. */
  public static final Cost SLOT = new Cost(1, RowBytes.KEY + Limits.KEY_BYTES_MAX);

  /** The row of a turn among all queues for a concurrency key of the engine. */
  public static final Cost TURN = new Cost(1, 2L * RowBytes.KEY + Limits.KEY_BYTES_MAX);

  /** The change of a blocked job to ready: its rows in BLOCKED, READY and MOVED. */
  public static final Cost HAND_ON =
      new Cost(3, RowBytes.JOB + RowBytes.ERROR + RowBytes.MOVED + 4 * RowBytes.KEY)
          .plusBytes(RowBytes.SIGNAL + Limits.KEY_BYTES_MAX);

  /**
   * The same change for a key of the engine: of a job of any queue, with its turn and the key's
   * row.
   */
  public static final Cost ENGINE_HAND_ON = HAND_ON.plus(TURN).plus(COUNTS).plus(SLOT);

  /** The rows of a queue that are put or deleted, or the move of its agenda row. */
  public static final Cost QUEUE_ROWS = new Cost(6, RowBytes.QUEUE);

  /** Returns the cost of deleting the given number of rows. */
  public static Cost deletes(int count) {
    return new Cost(count, (long) count * RowBytes.KEY);
  }

  /** Returns the sum of both costs. */
  public Cost plus(Cost other) {
    return new Cost(operations + other.operations, bytes + other.bytes);
  }

  /** Returns this cost with more bytes in the same rows. */
  public Cost plusBytes(long more) {
    return new Cost(operations, bytes + more);
  }

  /** Returns this cost multiplied by the count. */
  public Cost times(int count) {
    return new Cost(operations * count, bytes * count);
  }
}

package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A batch as a read finds it: how many jobs it has, and what became of them. Each job of the batch,
 * and each batch within it, which counts as one job, is in exactly one of {@code left}, {@code
 * succeeded}, {@code dead}, {@code failed}, {@code cancelled}, {@code expired}, {@code purged} and
 * {@code lost}.
 *
 * @param id the batch's id
 * @param name the name that it was given; names need not be unique
 * @param outer the batch of which this one counts as one job
 * @param isSealed whether it is over once no job of it is left
 * @param isCancelled whether it was cancelled, so that it takes no more jobs
 * @param left the number of jobs that have not ended
 * @param running how many of these have a worker now; 0 for a store that no engine holds
 * @param succeeded the number of jobs that were completed
 * @param dead the number of dead letters, which count as left again if they are redriven
 * @param failed the number of jobs that died and whose dead letters were removed
 * @param cancelled the number of jobs that were cancelled, or replaced for a {@link UniqueKey}
 * @param expired the number of jobs that were not started within their time to live
 * @param purged the number of jobs that were removed with all others of their queue
 * @param lost the number of jobs whose records were damaged
 * @param retention how long the batch is kept once it is over and has no dead letters
 * @param startedAt when the batch was begun
 * @param endedAt when its last job ended; empty if it is not over
 */
public record BatchStats(
    BatchId id,
    String name,
    Optional<BatchId> outer,
    boolean isSealed,
    boolean isCancelled,
    long left,
    long running,
    long succeeded,
    long dead,
    long failed,
    long cancelled,
    long expired,
    long purged,
    long lost,
    Duration retention,
    Instant startedAt,
    Optional<Instant> endedAt) {

  /** Returns the number of all jobs of the batch that are there or were. */
  public long total() {
    return left + succeeded + dead + failed + cancelled + expired + purged + lost;
  }

  /**
   * Tells whether the batch is over: it is sealed and no job of it is left. It goes on if one of
   * its dead letters is redriven.
   */
  public boolean isOver() {
    return endedAt.isPresent();
  }

  /** Tells whether the batch is over and all of its jobs were completed. */
  public boolean hasSucceeded() {
    return isOver() && succeeded == total();
  }
}

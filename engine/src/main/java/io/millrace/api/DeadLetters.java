package io.millrace.api;

import java.util.Optional;

/**
 * A queue's dead jobs: never claimed, kept until someone decides, or for the queue's retention if
 * it has one. Any thread may use it.
 */
public interface DeadLetters {

  /** Dead jobs that match, the earliest death first. */
  Page<Job> list(DeadFilter filter, PageRequest page);

  /** The job with its history, if it is dead and of this queue. */
  Optional<Job> get(JobId id);

  /** Makes a dead job ready again, with its attempts starting afresh; keeps its checkpoint. */
  @CheckReturnValue
  default RedriveResult redrive(JobId id) {
    return redrive(id, Checkpointed.KEEP);
  }

  /**
   * Makes a dead job ready again, with its attempts starting afresh. It takes its {@link UniqueKey}
   * again; if another job holds that, it stays dead, and the answer is a duplicate.
   */
  @CheckReturnValue
  RedriveResult redrive(JobId id, Checkpointed checkpointed);

  /**
   * Makes all dead jobs that match ready again, in bounded steps: a failure in between leaves the
   * earlier ones redriven. Jobs that die meanwhile are left for the next call, and jobs whose
   * unique key another one holds stay dead: of several with one key the first is redriven.
   *
   * @return how many
   */
  default long redriveAll(DeadFilter filter) {
    return redriveAll(filter, Checkpointed.KEEP);
  }

  /** As {@link #redriveAll(DeadFilter)}. */
  long redriveAll(DeadFilter filter, Checkpointed checkpointed);

  /** What becomes of the state that a redriven job's last checkpoint kept. */
  enum Checkpointed {
    /** The next attempt goes on from it. */
    KEEP,
    /** The job starts as it was enqueued, but for a signal that it was told ({@link Wake}). */
    CLEAR
  }

  /** Removes a dead job for good; says whether it was there. */
  boolean delete(JobId id);

  /**
   * Removes all dead jobs that match, in bounded steps, as {@link #redriveAll(DeadFilter)}.
   *
   * @return how many
   */
  long deleteAll(DeadFilter filter);
}

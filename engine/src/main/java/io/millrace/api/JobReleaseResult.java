package io.millrace.api;

/**
 * The possible outcomes of taking a job's lease away from its holder ({@link JobAdmin#release}).
 */
public enum JobReleaseResult implements Result<JobReleaseResult> {
  /** The job is ready at its old place; its holder's attempt does not count. */
  RELEASED,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** The job is not leased; it stays as it is. */
  NOT_RUNNING,
  /** The job does not exist, or has ended and is only kept; nothing was changed. */
  GONE;

  /** Tells whether the call ended a lease. */
  @Override
  public boolean isDone() {
    return this == RELEASED || this == CANCELLED;
  }

  /**
   * Returns this result if the call ended a lease.
   *
   * @throws NotDoneException no lease was ended; nothing was changed
   */
  @Override
  public JobReleaseResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not released: " + this);
    }
    return this;
  }
}

package io.millrace.api;

/**
 * The possible outcomes of giving up a job because the signal that it waits for never comes ({@link
 * JobAdmin#failStuck}).
 */
public enum StuckResult implements Result<StuckResult> {
  /** The job is a dead letter now. */
  FAILED,
  /** The job does not wait for a signal, or has received it by now: it is not given up. */
  NOT_WAITING,
  /** The job is completed, or no longer exists; nothing was changed. */
  GONE;

  /** Tells whether the call made the job a dead letter. */
  @Override
  public boolean isDone() {
    return this == FAILED;
  }

  /**
   * Returns this result if the call made the job a dead letter.
   *
   * @throws NotDoneException the job was not failed; nothing was changed
   */
  @Override
  public StuckResult orThrow() {
    return switch (this) {
      case NOT_WAITING -> throw new NotDoneException("job was not failed: it waits for no signal");
      case GONE -> throw new NotDoneException("job was not failed: it is gone");
      case FAILED -> this;
    };
  }
}

package io.millrace.api;

/** What became of a job that was to be given up, since the signal that it waits for never comes. */
public enum StuckResult {
  /** It is a dead letter. */
  FAILED,
  /** It does not wait for a signal, or has it by now: it is not given up. */
  NOT_WAITING,
  /** It is completed, or no longer exists; nothing was changed. */
  GONE;

  /** Whether the job is a dead letter by this call. */
  public boolean isDone() {
    return this == FAILED;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public StuckResult orThrow() {
    return switch (this) {
      case NOT_WAITING -> throw new NotDoneException("job was not failed: it waits for no signal");
      case GONE -> throw new NotDoneException("job was not failed: it is gone");
      case FAILED -> this;
    };
  }
}

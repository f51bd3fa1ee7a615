package io.millrace.api;

/** How the redrive of one dead letter ended. */
public enum RedriveResult {
  /** The job is ready again, at the back of its priority, with its attempts starting afresh. */
  REDRIVEN,
  /** The job is not dead; it stays as it is. */
  NOT_DEAD,
  /** The job does not exist; nothing was changed. */
  GONE;

  /** Whether the job is ready again. */
  public boolean isDone() {
    return this == REDRIVEN;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public RedriveResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not redriven: " + this);
    }
    return this;
  }
}

package io.millrace.api;

/** How an update ended. */
public enum UpdateResult {
  /** The job is as the update says. */
  OK,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE;

  /** Whether the job is as the update says. */
  public boolean isDone() {
    return this == OK;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public UpdateResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not updated: " + this);
    }
    return this;
  }
}

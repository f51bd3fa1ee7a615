package io.millrace.api;

/** The possible outcomes of an update. */
public enum UpdateResult {
  /** The job has the values of the update. */
  OK,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE;

  /** Tells whether the job has the values of the update. */
  public boolean isDone() {
    return this == OK;
  }

  /**
   * Returns this result if the job was updated.
   *
   * @throws NotDoneException the job was not updated; nothing was changed
   */
  public UpdateResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not updated: " + this);
    }
    return this;
  }
}

package io.millrace.api;

/** The possible outcomes of an update. */
public enum UpdateResult implements Result<UpdateResult> {
  /** The job has the values of the update. */
  UPDATED,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE;

  /** Tells whether the job has the values of the update. */
  @Override
  public boolean isDone() {
    return this == UPDATED;
  }

  /**
   * Returns this result if the job was updated.
   *
   * @throws NotDoneException the job was not updated; nothing was changed
   */
  @Override
  public UpdateResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not updated: " + this);
    }
    return this;
  }
}

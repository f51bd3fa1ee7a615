package io.millrace.api;

/** The ways in which a release ends of a job whose lease was to be taken away. */
public enum JobReleaseResult {
  /** Nobody holds it any more: it is ready at its old place, and the attempt does not count. */
  RELEASED,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** Nobody works on the job; it stays as it is. */
  NOT_RUNNING,
  /** The job does not exist, or has ended and is only kept; nothing was changed. */
  GONE;

  /** Tells whether a lease was ended by this call. */
  public boolean isDone() {
    return this == RELEASED || this == CANCELLED;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public JobReleaseResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not released: " + this);
    }
    return this;
  }
}

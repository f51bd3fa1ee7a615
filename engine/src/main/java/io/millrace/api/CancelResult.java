package io.millrace.api;

/** How a cancel ended. */
public enum CancelResult {
  /** Nobody worked on the job; it was removed. */
  CANCELLED,
  /** The job is leased: its holder learns of the request, and the job is not served again. */
  REQUESTED,
  /**
   * The job is leased and stays as it is: {@link JobQueues#cancelIfWaiting} leaves such jobs alone.
   */
  RUNNING,
  /** The job does not exist, or has ended and is only kept; nothing was changed. */
  GONE;

  /** Whether the job is removed, or goes when its holder lets go of it. */
  public boolean isDone() {
    return this == CANCELLED || this == REQUESTED;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public CancelResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not cancelled: " + this);
    }
    return this;
  }
}

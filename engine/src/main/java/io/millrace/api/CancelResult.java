package io.millrace.api;

/** The possible outcomes of a cancel. */
public enum CancelResult implements Result<CancelResult> {
  /** The job was removed; no worker held it. */
  CANCELLED,
  /** The job is leased: its holder learns of the request, and the job is not served again. */
  REQUESTED,
  /**
   * The job is leased and stays as it is: {@link JobQueues#cancelIfWaiting} leaves such jobs alone.
   */
  RUNNING,
  /** The job does not exist, or has ended and is only kept; nothing was changed. */
  GONE;

  /** Tells whether the job is removed now, or will be when its holder ends the lease. */
  @Override
  public boolean isDone() {
    return this == CANCELLED || this == REQUESTED;
  }

  /**
   * Returns this result if the job was cancelled, or its cancel requested.
   *
   * @throws NotDoneException the job was not cancelled; nothing was changed
   */
  @Override
  public CancelResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not cancelled: " + this);
    }
    return this;
  }
}

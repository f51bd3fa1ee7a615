package io.millrace.api;

/** The possible outcomes of a complete. */
public enum CompleteResult implements Result<CompleteResult> {
  /** The job is completed and will never be offered again. */
  COMPLETED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Tells whether the job is completed. */
  @Override
  public boolean isDone() {
    return this == COMPLETED;
  }

  /**
   * Returns this result if the job is completed.
   *
   * @throws LeaseLostException the job was not completed; nothing was changed
   */
  @Override
  public CompleteResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("complete");
      case GONE -> throw LeaseLostException.gone("complete");
      default -> this;
    };
  }
}

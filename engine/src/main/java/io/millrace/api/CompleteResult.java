package io.millrace.api;

/** How a complete ended. */
public enum CompleteResult {
  /** The job is finished and will never be offered again. */
  COMPLETED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Whether the job is finished. */
  public boolean isDone() {
    return this == COMPLETED;
  }

  /**
   * This, if it is done.
   *
   * @throws LeaseLostException it was not; nothing was changed
   */
  public CompleteResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("complete");
      case GONE -> throw LeaseLostException.gone("complete");
      default -> this;
    };
  }
}

package io.millrace.api;

/** How a {@link Lease#waitFor wait for a signal} began. */
public enum WaitResult {
  /** The job waits: no worker has it until the signal comes or the deadline passes. */
  WAITING,
  /**
   * The signal had come before and was kept: the job is ready again, or blocked if its concurrency
   * key has no slot, and will be told of it.
   */
  SIGNALLED,
  /** The deadline had passed by then: the job is ready again, or blocked, and will be told so. */
  TIMED_OUT,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Whether the lease was ended by this call. */
  public boolean isDone() {
    return this != STALE_LEASE && this != GONE;
  }

  /**
   * This, if it is done.
   *
   * @throws LeaseLostException it was not; nothing was changed
   */
  public WaitResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("waitFor");
      case GONE -> throw LeaseLostException.gone("waitFor");
      default -> this;
    };
  }
}

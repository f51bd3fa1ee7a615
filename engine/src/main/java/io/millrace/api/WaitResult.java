package io.millrace.api;

/** The possible outcomes of beginning a {@link Lease#waitFor wait} for a signal or a batch. */
public enum WaitResult implements Result<WaitResult> {
  /**
   * The job waits: no worker has it until the signal comes, the deadline passes, or the batch is
   * over.
   */
  WAITING,
  /**
   * The signal had come before and was kept. The job is ready again, or blocked if its concurrency
   * key has no slot, and its next lease gives the signal.
   */
  SIGNALLED,
  /**
   * The deadline had already passed. The job is ready again, or blocked, and its next lease says
   * so.
   */
  TIMED_OUT,
  /** The batch was over already. The job is ready again, or blocked, and its next lease says so. */
  BATCH_OVER,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Tells whether the call ended the lease. */
  @Override
  public boolean isDone() {
    return this != STALE_LEASE && this != GONE;
  }

  /**
   * Returns this result if the call ended the lease.
   *
   * @throws LeaseLostException the lease was not ended by this call; nothing was changed
   */
  @Override
  public WaitResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("waitFor");
      case GONE -> throw LeaseLostException.gone("waitFor");
      default -> this;
    };
  }
}

package io.millrace.api;

/** The possible outcomes of a release or a snooze. */
public enum ReleaseResult implements Result<ReleaseResult> {
  /** The job was handed back; the attempt does not count. */
  RELEASED,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Tells whether the call ended the lease. */
  @Override
  public boolean isDone() {
    return this == RELEASED || this == CANCELLED;
  }

  /**
   * Returns this result if the call ended the lease.
   *
   * @throws LeaseLostException the lease was not ended by this call; nothing was changed
   */
  @Override
  public ReleaseResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("release or snooze");
      case GONE -> throw LeaseLostException.gone("release or snooze");
      default -> this;
    };
  }
}

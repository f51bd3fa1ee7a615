package io.millrace.api;

/** How a release or a snooze ended. */
public enum ReleaseResult {
  /** The job was handed back; the attempt does not count. */
  RELEASED,
  /** A cancel had been requested: the job was removed. */
  CANCELLED,
  /** The lease is no longer the job's current one; nothing was changed. */
  STALE_LEASE,
  /** The job no longer exists; nothing was changed. */
  GONE;

  /** Whether the lease was ended by this call. */
  public boolean isDone() {
    return this == RELEASED || this == CANCELLED;
  }

  /**
   * This, if it is done.
   *
   * @throws LeaseLostException it was not; nothing was changed
   */
  public ReleaseResult orThrow() {
    return switch (this) {
      case STALE_LEASE -> throw LeaseLostException.stale("release or snooze");
      case GONE -> throw LeaseLostException.gone("release or snooze");
      default -> this;
    };
  }
}

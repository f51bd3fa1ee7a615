package io.millrace.api;

import java.time.Instant;

/** How a fail ended. */
public sealed interface FailResult {

  /** Whether the failure was counted: the job is tried again, dead or cancelled. */
  default boolean isDone() {
    return !(this instanceof StaleLease || this instanceof Gone);
  }

  /**
   * This, if it is done.
   *
   * @throws LeaseLostException it was not; nothing was changed
   */
  default FailResult orThrow() {
    if (this instanceof StaleLease) {
      throw LeaseLostException.stale("fail");
    }
    if (this instanceof Gone) {
      throw LeaseLostException.gone("fail");
    }
    return this;
  }

  /** The job will be tried again from this instant on. */
  record Retried(Instant visibleAt) implements FailResult {}

  /** The job is a dead letter now. */
  record Died() implements FailResult {}

  /** A cancel had been requested: the job was removed. */
  record Cancelled() implements FailResult {}

  /** The lease is no longer the job's current one; nothing was changed. */
  record StaleLease() implements FailResult {}

  /** The job no longer exists; nothing was changed. */
  record Gone() implements FailResult {}
}

package io.millrace.api;

import java.time.Instant;

/** The possible outcomes of a fail. */
public sealed interface FailResult extends Result<FailResult> {

  /**
   * Tells whether the failure was counted: the job will be tried again, is dead, or was cancelled.
   */
  @Override
  default boolean isDone() {
    return !(this instanceof StaleLease || this instanceof Gone);
  }

  /**
   * Returns this result if the failure was counted.
   *
   * @throws LeaseLostException the failure was not counted; nothing was changed
   */
  @Override
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

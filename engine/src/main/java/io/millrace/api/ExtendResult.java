package io.millrace.api;

import java.time.Duration;

/** The possible outcomes of an extend or a checkpoint. */
public sealed interface ExtendResult extends Result<ExtendResult.Extended> {

  /** Tells whether the lease goes on. */
  @Override
  default boolean isDone() {
    return this instanceof Extended;
  }

  /**
   * Returns how long the lease goes on.
   *
   * @throws LeaseLostException the lease does not go on; nothing was changed
   */
  @Override
  default Extended orThrow() {
    if (this instanceof Extended extended) {
      return extended;
    }
    throw this instanceof StaleLease
        ? LeaseLostException.stale("extend or checkpoint")
        : LeaseLostException.gone("extend or checkpoint");
  }

  /**
   * The lease goes on.
   *
   * @param remaining how long the lease lasted from the moment when the engine answered
   * @param cancelRequested whether the job was asked to be cancelled
   */
  record Extended(Duration remaining, boolean cancelRequested) implements ExtendResult {

    /** Creates the result for a job that was not asked to be cancelled. */
    public Extended(Duration remaining) {
      this(remaining, false);
    }
  }

  /** The lease is no longer the job's current one; nothing was changed. */
  record StaleLease() implements ExtendResult {}

  /** The job no longer exists; nothing was changed. */
  record Gone() implements ExtendResult {}
}

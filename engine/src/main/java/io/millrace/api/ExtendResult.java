package io.millrace.api;

import java.time.Duration;

/** How an extend or a checkpoint ended. */
public sealed interface ExtendResult {

  /** Whether the lease holds on. */
  default boolean isDone() {
    return this instanceof Extended;
  }

  /**
   * How the lease holds on.
   *
   * @throws LeaseLostException it does not; nothing was changed
   */
  default Extended orThrow() {
    if (this instanceof Extended extended) {
      return extended;
    }
    throw this instanceof StaleLease
        ? LeaseLostException.stale("extend or checkpoint")
        : LeaseLostException.gone("extend or checkpoint");
  }

  /**
   * The lease holds on.
   *
   * @param remaining how long it lasted from the moment when the engine answered
   * @param cancelRequested whether somebody asked for the job to be cancelled
   */
  record Extended(Duration remaining, boolean cancelRequested) implements ExtendResult {

    /** A lease that goes on undisturbed. */
    public Extended(Duration remaining) {
      this(remaining, false);
    }
  }

  /** The lease is no longer the job's current one; nothing was changed. */
  record StaleLease() implements ExtendResult {}

  /** The job no longer exists; nothing was changed. */
  record Gone() implements ExtendResult {}
}

package io.millrace.api;

import java.time.Duration;

/** The possible outcomes of extending a lease on a queue. */
public sealed interface QueueExtendResult extends Result<QueueExtendResult.Extended> {

  /** Tells whether the lease goes on. */
  @Override
  default boolean isDone() {
    return this instanceof Extended;
  }

  /**
   * Returns how long the lease goes on.
   *
   * @throws LeaseLostException the lease is over; nothing was changed
   */
  @Override
  default Extended orThrow() {
    if (this instanceof Extended extended) {
      return extended;
    }
    throw LeaseLostException.ofQueue("extend");
  }

  /**
   * The lease goes on.
   *
   * @param remaining how long the lease lasted from the moment when the call was made
   */
  record Extended(Duration remaining) implements QueueExtendResult {}

  /** The lease is over; nothing was changed. */
  record StaleLease() implements QueueExtendResult {}
}

package io.millrace.api;

import java.time.Duration;

/** How lengthening a lease on a queue ended. */
public sealed interface QueueExtendResult {

  /** Whether the lease holds on. */
  default boolean isDone() {
    return this instanceof Extended;
  }

  /**
   * How the lease holds on.
   *
   * @throws LeaseLostException it is over; nothing was changed
   */
  default Extended orThrow() {
    if (this instanceof Extended extended) {
      return extended;
    }
    throw LeaseLostException.ofQueue("extend");
  }

  /**
   * The lease holds on.
   *
   * @param remaining how long it lasted from the moment when the call was made
   */
  record Extended(Duration remaining) implements QueueExtendResult {}

  /** The lease is over; nothing was changed. */
  record StaleLease() implements QueueExtendResult {}
}

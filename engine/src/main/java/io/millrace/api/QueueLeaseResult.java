package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/** How an attempt to lease a queue ended. */
public sealed interface QueueLeaseResult {

  /** Whether the queue is leased to the caller. */
  default boolean isDone() {
    return this instanceof Granted;
  }

  /** The lease, if it was granted. */
  default Optional<QueueLease> lease() {
    return this instanceof Granted granted ? Optional.of(granted.queueLease()) : Optional.empty();
  }

  /**
   * The lease.
   *
   * @throws QueueLeasedException somebody else has the queue; nothing was changed
   */
  default QueueLease orThrow() {
    if (this instanceof Granted granted) {
      return granted.queueLease();
    }
    throw new QueueLeasedException((QueueLeased) this);
  }

  /** The queue is the caller's, for as long as the lease lasts. */
  record Granted(QueueLease queueLease) implements QueueLeaseResult {}

  /**
   * Somebody has the queue, perhaps the same worker by another call; nothing was changed.
   *
   * @param queue which
   * @param worker who has it
   * @param until when that lease ends if nobody lengthens it or ends it before
   */
  record QueueLeased(QueueName queue, String worker, Instant until) implements QueueLeaseResult {}
}

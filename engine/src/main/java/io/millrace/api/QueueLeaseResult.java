package io.millrace.api;

import java.time.Instant;
import java.util.Optional;

/** The possible outcomes of an attempt to lease a queue. */
public sealed interface QueueLeaseResult extends Result<QueueLease> {

  /** Tells whether the queue is leased to the caller. */
  @Override
  default boolean isDone() {
    return this instanceof Granted;
  }

  /** Returns the lease, if it was granted. */
  default Optional<QueueLease> lease() {
    return this instanceof Granted granted ? Optional.of(granted.queueLease()) : Optional.empty();
  }

  /**
   * Returns the lease.
   *
   * @throws QueueLeasedException the queue is leased already; nothing was changed
   */
  @Override
  default QueueLease orThrow() {
    if (this instanceof Granted granted) {
      return granted.queueLease();
    }
    throw new QueueLeasedException((QueueLeased) this);
  }

  /** The queue is leased to the caller, for as long as the lease lasts. */
  record Granted(QueueLease queueLease) implements QueueLeaseResult {}

  /**
   * The queue is leased already, perhaps to the same worker by another call; nothing was changed.
   *
   * @param queue the name of the queue
   * @param worker the worker that has leased it
   * @param until when that lease ends if it is neither extended nor ended before
   */
  record QueueLeased(QueueName queue, String worker, Instant until) implements QueueLeaseResult {}
}

package io.millrace.api;

import java.time.Instant;

/**
 * A queue that is leased as a whole, as it was when it was read. Immutable. Only Millrace
 * implements this interface, and accessors may be added.
 */
public interface LeasedQueue {

  QueueName queue();

  /** Returns the worker that has leased the queue. */
  String worker();

  /** Returns the instant when the lease began. */
  Instant since();

  /** Returns the instant when the lease ends if it is neither extended nor ended before. */
  Instant until();
}

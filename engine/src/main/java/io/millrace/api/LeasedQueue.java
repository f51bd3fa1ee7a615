package io.millrace.api;

import java.time.Instant;

/**
 * A queue that somebody has leased, as it was when it was looked at. Immutable. Made by Millrace
 * alone: it may get more accessors.
 */
public interface LeasedQueue {

  QueueName queue();

  /** Who has it. */
  String worker();

  /** Since when. */
  Instant since();

  /** When the lease ends if nobody lengthens it or ends it before. */
  Instant until();
}

package io.millrace.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A queue's counts as of one commit. Immutable. Made by Millrace alone: it may get more accessors.
 */
public interface QueueStats {

  /** Whose they are. */
  QueueName queue();

  /** The jobs in each state; every state is present, in the order of the states. */
  Map<JobState, Long> counts();

  /** The counts since the queue was created; every kind is present, in the order of the kinds. */
  Map<Total, Long> totals();

  /** How long the longest-waiting of the jobs that head their priorities has been ready. */
  Optional<Duration> oldestReadyAge();

  /** Whether claims are served. */
  Serving serving();

  /**
   * Who has leased the queue as a whole, so that others claim nothing from it. Empty where a store
   * is only looked at: such leases are known to the engine alone.
   */
  Optional<LeasedQueue> leasedBy();

  /** What is counted since the queue's creation. */
  enum Total {
    ENQUEUED,
    CLAIMED,
    COMPLETED,
    /** Failures that will be tried again. */
    RETRIED,
    RELEASED,
    SNOOZED,
    /** Leases that ran out, also over a restart. */
    EXPIRED,
    /** Jobs that became dead letters. */
    DIED,
    CANCELLED,
    REDRIVEN,
    /** Dead letters deleted by an operator. */
    DELETED,
    /** Jobs set aside because their records were corrupt. */
    QUARANTINED,
    /** Jobs dropped because they were not started within their time to live. */
    DROPPED,
    /** Results and dead letters removed because their retention had passed. */
    SWEPT,
    /** Jobs removed by a purge. */
    PURGED,
    /** Waits for a signal, also such as were over at once. */
    WAITED,
    /** Jobs that waited for a signal and went on: it came, or their deadline passed. */
    WOKEN
  }

  /** Whether claims are served. */
  enum Serving {
    ON,
    /** Claims are served, and enqueues are refused. */
    DRAINING,
    /** Claims are not served, whether enqueues are refused or not. */
    PAUSED
  }

  default long count(JobState state) {
    return counts().getOrDefault(state, 0L);
  }

  default long total(Total total) {
    return totals().getOrDefault(total, 0L);
  }
}

package io.millrace.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A queue's counts as of one commit. Immutable. Only Millrace implements this interface, and
 * accessors may be added.
 */
public interface QueueStats {

  /** Returns the name of the queue. */
  QueueName queue();

  /**
   * Returns the number of jobs in each state. Every state is present, in the order of the states.
   */
  Map<JobState, Long> counts();

  /**
   * Returns the counts since the queue was created. Every kind is present, in the order of the
   * kinds.
   */
  Map<Total, Long> totals();

  /**
   * Returns how long the longest-waiting job has been ready, of those that are first in their
   * priorities.
   */
  Optional<Duration> oldestReadyAge();

  /** Returns whether claims and enqueues are served. */
  Serving serving();

  /**
   * Returns the lease on the whole queue, which keeps others from claiming from it. Empty if the
   * store is read without an engine: such leases are known to the engine alone.
   */
  Optional<LeasedQueue> leasedBy();

  /** The kinds of events that are counted since the queue was created. */
  enum Total {
    ENQUEUED,
    CLAIMED,
    COMPLETED,
    /** Failures after which the job will be tried again. */
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
    /** Waits for a signal, including those that were over at once. */
    WAITED,
    /** Jobs that waited for a signal and went on: the signal came, or the deadline passed. */
    WOKEN
  }

  /** The ways in which a queue serves claims and enqueues. */
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

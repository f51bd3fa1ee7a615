package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Figures of what an engine does and holds, as of about one moment. Each figure is exact, but they
 * are read one after the other while the engine works on. Immutable. Only Millrace implements this
 * interface, and accessors may be added.
 */
public interface EngineMetrics {

  /** Returns when these figures were read. */
  Instant at();

  /** Returns how long the engine has been open. */
  Duration openFor();

  /** Returns the number of requests that wait to be taken up. */
  int ringDepth();

  /** Returns the most requests that may wait to be taken up. */
  int ringSize();

  /** Returns the distribution of the times that the store took to write a batch, in nanoseconds. */
  Spread commitNs();

  /**
   * Returns the distribution of the times that the store took to make batches durable, in
   * nanoseconds.
   */
  Spread syncNs();

  /**
   * Returns the distribution of the number of requests that shared a batch. Batches without a
   * request are left out.
   */
  Spread groupRequests();

  /**
   * Returns the operations committed since the engine was opened, counted in jobs. Every kind is
   * present.
   */
  Map<QueueStats.Total, Long> operations();

  /**
   * Returns the number of jobs since the engine was opened that were not enqueued because another
   * job held their {@link UniqueKey}.
   */
  long duplicateCount();

  /** Returns the number of job leases that are held. */
  int leaseCount();

  /** Returns the number of leases on whole queues that are held. */
  int queueLeaseCount();

  /** Returns the number of claims that wait for a job. */
  int parkedClaimCount();

  /**
   * Returns the number of token buckets of rate limits that are not full: those of queues and of
   * their concurrency keys. Buckets that have filled up are still counted for a while, until the
   * engine has looked at them.
   */
  int rateBucketCount();

  /**
   * Returns the number of queues from which claims wanted jobs but found no token of a rate limit.
   * A queue is counted until its next token comes.
   */
  int rateLimitedQueueCount();

  /**
   * Returns the number of queue names with claims across all of their tenants, now or within about
   * the last minute.
   */
  int tenantNameCount();

  /**
   * Returns the number of tenants of these names that have a turn: all that have ready jobs and are
   * held up by nothing, and some whose jobs have been taken by other claims since their last turn.
   */
  int tenantTurnCount();

  /** Returns the number of broadcasts that have not yet reached all jobs that waited for them. */
  int broadcastCount();

  /** Returns the number of waits for the ends of jobs. */
  int awaitCount();

  /** Returns the number of job listeners. */
  int listenerCount();

  /**
   * Returns the number of events that wait to be passed to job listeners, counted once for each
   * listener. If more than {@value Limits#LISTENER_EVENT_COUNT_MAX} wait for one listener, it
   * misses those that come then.
   */
  long waitingEventCount();

  /**
   * Returns the number of events since the engine was opened that job listeners missed, counted
   * once for each listener.
   */
  long missedEventCount();

  /**
   * Returns the age of the oldest open view of the store; empty if there is no reader. An open view
   * keeps the store from reusing space.
   */
  Optional<Duration> oldestReaderAge();

  /** Returns the space that the store takes, in bytes. */
  long storeBytes();

  /** Returns the memory used by the ready jobs that are kept at hand, in bytes. */
  long windowBytes();

  /** Returns the number of corrupt rows that were set aside since the engine was opened. */
  long setAsideCount();

  /** Returns the number of rows of users' tables that were put since the engine was opened. */
  long tableRowsPut();

  /**
   * Returns the number of rows of users' tables that were deleted since the engine was opened,
   * without the rows of dropped tables.
   */
  long tableRowsDeleted();

  /**
   * Returns the number of transactions that committed since the engine was opened, without those
   * that asked for nothing.
   */
  long transactionCount();

  /**
   * Returns the number of calls of transactions' functions since the engine was opened. A
   * transaction needs more than one call if others were faster.
   */
  long transactionCallCount();

  /**
   * Returns the number of these calls that were in vain because others had changed a row that was
   * read.
   */
  long transactionConflictCount();

  /** Returns the condition of the engine. */
  EngineHealth health();

  /**
   * The distributions of a value over two spans of time.
   *
   * @param recent the values of about the last minute
   * @param sinceOpening all values since the engine was opened
   * @param bitLengths the number of the values since the engine was opened by how many bits they
   *     have: at index 0 how many were 0, and at each further index <i>n</i> how many were from
   *     2<sup><i>n</i> - 1</sup> to 2<sup><i>n</i></sup> - 1. The last one counts all larger
   *     values, too. Percentiles of several engines do not add up, but these counts do.
   */
  record Spread(Distribution recent, Distribution sinceOpening, List<Long> bitLengths) {}

  /**
   * Returns the number of jobs that an operation of this kind was committed for since the engine
   * was opened.
   */
  default long operations(QueueStats.Total kind) {
    return operations().getOrDefault(kind, 0L);
  }
}

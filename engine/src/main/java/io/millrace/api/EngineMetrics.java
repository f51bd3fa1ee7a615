package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What an engine does and holds, as of about one moment: each figure is exact, but they are read
 * one after the other while the engine works on. Immutable. Made by Millrace alone: it may get more
 * accessors.
 */
public interface EngineMetrics {

  /** When they were read. */
  Instant at();

  /** How long the engine has been open. */
  Duration openFor();

  /** Requests that wait to be taken up. */
  int ringDepth();

  /** How many may. */
  int ringSize();

  /** How long the store took to write a batch, in nanoseconds. */
  Spread commitNs();

  /** How long the store took to make batches durable, in nanoseconds. */
  Spread syncNs();

  /** How many requests shared a batch; batches without a request are left out. */
  Spread groupRequests();

  /** What was committed since the opening, in jobs; every kind is present. */
  Map<QueueStats.Total, Long> operations();

  /**
   * Jobs since the opening that were not enqueued, for another job held their {@link UniqueKey}.
   */
  long duplicateCount();

  /** Leases that are held. */
  int leaseCount();

  /** Leases on whole queues that are held. */
  int queueLeaseCount();

  /** Claims that wait for a job. */
  int parkedClaimCount();

  /**
   * Token buckets of rate limits that are not full, of queues and of their concurrency keys. Those
   * that have filled up are still counted for a while, until the engine has looked at them.
   */
  int rateBucketCount();

  /** Queues of which claims wanted jobs and found no token, until the next one comes. */
  int rateLimitedQueueCount();

  /** Names across whose tenants somebody claims, or did within the last minute or so. */
  int tenantNameCount();

  /**
   * Tenants of these names that have a turn: all that have ready jobs and are held up by nothing,
   * and some whose jobs somebody else has taken since their last turn.
   */
  int tenantTurnCount();

  /** Broadcasts that have not reached all jobs yet that waited for them. */
  int broadcastCount();

  /** Waits for the ends of jobs. */
  int awaitCount();

  /** Job listeners. */
  int listenerCount();

  /**
   * Events that wait for job listeners to be told of them, for each of them. If more than {@value
   * Limits#LISTENER_EVENT_COUNT_MAX} wait for one, it misses those that come then.
   */
  long waitingEventCount();

  /** Events since the opening that job listeners were not told, for each of them. */
  long missedEventCount();

  /**
   * How long the oldest view of the store has been open, which keeps the store from using space
   * again; empty if nobody is reading.
   */
  Optional<Duration> oldestReaderAge();

  /** How much room the store takes, in bytes. */
  long storeBytes();

  /** Memory that ready jobs are kept at hand in, in bytes. */
  long windowBytes();

  /** Corrupt rows that were set aside since the opening. */
  long setAsideCount();

  /** Rows of users' tables that were put since the opening. */
  long tableRowsPut();

  /** Rows of users' tables that were deleted since the opening, but for those of dropped tables. */
  long tableRowsDeleted();

  /** Transactions that committed since the opening, but for those that asked for nothing. */
  long transactionCount();

  /** Calls of transactions' functions since the opening: more than one if others were faster. */
  long transactionCallCount();

  /** Those of the calls that were in vain, for others had changed a row that was read. */
  long transactionConflictCount();

  /** How the engine is. */
  EngineHealth health();

  /**
   * A distribution over two times.
   *
   * @param recent of about the last minute
   * @param sinceOpening of all values since the engine was opened
   */
  record Spread(Distribution recent, Distribution sinceOpening) {}

  /** How many jobs this happened to since the opening. */
  default long operations(QueueStats.Total kind) {
    return operations().getOrDefault(kind, 0L);
  }
}

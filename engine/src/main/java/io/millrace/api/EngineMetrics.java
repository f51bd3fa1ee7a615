package io.millrace.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What an engine does and holds, as of about one moment: each figure is exact, but they are read
 * one after the other while the engine works on.
 *
 * @param at when they were read
 * @param openFor how long the engine has been open
 * @param ringDepth requests that wait to be taken up
 * @param ringSize how many may
 * @param commitNs how long the store took to write a batch, in nanoseconds
 * @param syncNs how long the store took to make batches durable, in nanoseconds
 * @param groupRequests how many requests shared a batch; batches without a request are left out
 * @param operations what was committed since the opening, in jobs; every kind is present
 * @param leaseCount leases that are held
 * @param parkedClaimCount claims that wait for a job
 * @param oldestReaderAge how long the oldest view of the store has been open, which keeps the store
 *     from using space again; empty if nobody is reading
 * @param storeBytes how much room the store takes, in bytes
 * @param windowBytes memory that ready jobs are kept at hand in, in bytes
 * @param setAsideCount corrupt rows that were set aside since the opening
 * @param health how the engine is
 */
public record EngineMetrics(
    Instant at,
    Duration openFor,
    int ringDepth,
    int ringSize,
    Spread commitNs,
    Spread syncNs,
    Spread groupRequests,
    Map<QueueStats.Total, Long> operations,
    int leaseCount,
    int parkedClaimCount,
    Optional<Duration> oldestReaderAge,
    long storeBytes,
    long windowBytes,
    long setAsideCount,
    EngineHealth health) {

  /**
   * A distribution over two times.
   *
   * @param recent of about the last minute
   * @param sinceOpening of all values since the engine was opened
   */
  public record Spread(Distribution recent, Distribution sinceOpening) {}

  public EngineMetrics {
    operations = Map.copyOf(operations);
  }

  /** How many jobs this happened to since the opening. */
  public long operations(QueueStats.Total kind) {
    return operations.getOrDefault(kind, 0L);
  }
}

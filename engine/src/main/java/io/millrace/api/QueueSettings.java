package io.millrace.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What holds for all jobs of a queue; can be changed while it works.
 *
 * @param leaseDuration how long a lease lasts when neither the claim nor the job says
 * @param depthMax the most jobs that may wait (ready, delayed, blocked or waiting); none by default
 * @param expiry where a job goes whose lease ran out with attempts left
 * @param resultRetention how long completed jobs are kept with their results when the job does not
 *     say; not at all by default
 * @param deadRetention how long dead letters are kept; for ever by default. A change holds for jobs
 *     that end from then on: those that are kept already stay for as long as was set when they
 *     ended
 */
public record QueueSettings(
    Duration leaseDuration,
    OptionalLong depthMax,
    Expiry expiry,
    Optional<Duration> resultRetention,
    Optional<Duration> deadRetention) {

  /**
   * Leases of 30 seconds, no depth limit, expired jobs ready at once, no results kept, dead letters
   * kept for ever.
   */
  public static final QueueSettings DEFAULT =
      new QueueSettings(
          Duration.ofSeconds(30),
          OptionalLong.empty(),
          Expiry.READY_AT_ONCE,
          Optional.empty(),
          Optional.empty());

  /** Where a job goes whose lease ran out with attempts left. */
  public enum Expiry {
    READY_AT_ONCE,
    BACKOFF
  }

  public QueueSettings {
    Limits.lease("leaseDuration", leaseDuration);
    depthMax.ifPresent(value -> Limits.inRange("depthMax", value, 1, Long.MAX_VALUE));
    Objects.requireNonNull(expiry, "expiry");
    resultRetention = resultRetention.map(value -> wholeMs("resultRetention", value));
    deadRetention = deadRetention.map(value -> wholeMs("deadRetention", value));
  }

  private static Duration wholeMs(String parameter, Duration value) {
    return Duration.ofMillis(Limits.keep(parameter, value).toMillis());
  }

  public QueueSettings withLeaseDuration(Duration value) {
    return new QueueSettings(value, depthMax, expiry, resultRetention, deadRetention);
  }

  public QueueSettings withDepthMax(long value) {
    return withDepth(OptionalLong.of(value));
  }

  public QueueSettings withoutDepthMax() {
    return withDepth(OptionalLong.empty());
  }

  private QueueSettings withDepth(OptionalLong value) {
    return new QueueSettings(leaseDuration, value, expiry, resultRetention, deadRetention);
  }

  public QueueSettings withExpiry(Expiry value) {
    return new QueueSettings(leaseDuration, depthMax, value, resultRetention, deadRetention);
  }

  /** Keeps completed jobs with their results for this long. */
  public QueueSettings withResultRetention(Duration value) {
    return withRetention(Optional.of(value), deadRetention);
  }

  /** Completed jobs are gone at once, but for those that ask to be kept. */
  public QueueSettings withoutResultRetention() {
    return withRetention(Optional.empty(), deadRetention);
  }

  /** Deletes jobs this long after they died. */
  public QueueSettings withDeadRetention(Duration value) {
    return withRetention(resultRetention, Optional.of(value));
  }

  /** Keeps dead letters for ever. */
  public QueueSettings withoutDeadRetention() {
    return withRetention(resultRetention, Optional.empty());
  }

  private QueueSettings withRetention(Optional<Duration> results, Optional<Duration> dead) {
    return new QueueSettings(leaseDuration, depthMax, expiry, results, dead);
  }
}

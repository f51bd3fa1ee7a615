package io.millrace.api;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What holds for all jobs of a queue; can be changed while it works.
 *
 * @param leaseDuration how long a lease lasts when neither the claim nor the job says
 * @param depthMax the most jobs that may wait (ready, delayed, blocked or waiting); none by default
 * @param expiry where a job goes whose lease ran out with attempts left
 */
public record QueueSettings(Duration leaseDuration, OptionalLong depthMax, Expiry expiry) {

  /** Leases of 30 seconds, no depth limit, expired jobs ready at once. */
  public static final QueueSettings DEFAULT =
      new QueueSettings(Duration.ofSeconds(30), OptionalLong.empty(), Expiry.READY_AT_ONCE);

  /** Where a job goes whose lease ran out with attempts left. */
  public enum Expiry {
    READY_AT_ONCE,
    BACKOFF
  }

  public QueueSettings {
    Limits.lease("leaseDuration", leaseDuration);
    depthMax.ifPresent(value -> Limits.inRange("depthMax", value, 1, Long.MAX_VALUE));
    Objects.requireNonNull(expiry, "expiry");
  }

  public QueueSettings withLeaseDuration(Duration value) {
    return new QueueSettings(value, depthMax, expiry);
  }

  public QueueSettings withDepthMax(long value) {
    return new QueueSettings(leaseDuration, OptionalLong.of(value), expiry);
  }

  public QueueSettings withoutDepthMax() {
    return new QueueSettings(leaseDuration, OptionalLong.empty(), expiry);
  }

  public QueueSettings withExpiry(Expiry value) {
    return new QueueSettings(leaseDuration, depthMax, value);
  }
}

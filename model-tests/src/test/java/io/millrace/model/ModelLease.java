package io.millrace.model;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A lease as the model keeps it. */
public final class ModelLease {

  public final ModelJob job;
  public final String worker;
  public final int attempt;
  public final byte[] payload;
  public final int maxAttempts;

  /** Rises with every lease. */
  long order;

  public Optional<byte[]> checkpointed;
  public final Optional<String> lastError;
  public final boolean isErrorByEngine;
  public final String wake;

  /** What was the job's time to live before it was started; 0 for none. */
  public final long timeToLiveEndMs;

  public long startedAtMs;
  public long grantedMs;
  public long deadlineMonotonicMs;
  public boolean isFinished;

  /** What tokens of rate limits its start took. */
  OptionalLong tokenOfQueue = OptionalLong.empty();

  OptionalLong tokenOfKey = OptionalLong.empty();

  OptionalLong tokenOfEngine = OptionalLong.empty();

  ModelLease(ModelJob job, int maxAttempts, String worker, Duration duration, ModelTime time) {
    this.job = job;
    this.worker = worker;
    this.attempt = job.attempts;
    this.startedAtMs = time.nowMs();
    this.payload = job.payload;
    this.maxAttempts = maxAttempts;
    this.checkpointed = job.checkpointed;
    this.lastError = job.lastError;
    this.isErrorByEngine = job.isErrorByEngine;
    this.wake = job.wake;
    this.timeToLiveEndMs = job.expireAtMs;
    this.grantedMs = duration.toMillis();
    this.deadlineMonotonicMs = time.monotonicMs() + grantedMs;
  }

  /** Whether it has not ended. */
  public boolean isCurrent() {
    return job.lease.filter(lease -> lease == this).isPresent();
  }

  public long remainingMs(ModelTime time) {
    return Math.max(0, deadlineMonotonicMs - time.monotonicMs());
  }
}

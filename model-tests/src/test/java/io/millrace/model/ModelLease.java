package io.millrace.model;

import java.time.Duration;
import java.util.Optional;

/** A lease as the model keeps it. */
final class ModelLease {

  final ModelJob job;
  final String worker;
  final int attempt;
  final byte[] payload;
  final Optional<String> lastError;
  final boolean isErrorByEngine;

  /** What was the job's time to live before it was started; 0 for none. */
  final long timeToLiveEndMs;

  long startedAtMs;
  long grantedMs;
  long deadlineMonotonicMs;
  boolean isFinished;

  ModelLease(ModelJob job, String worker, Duration duration, ModelTime time) {
    this.job = job;
    this.worker = worker;
    this.attempt = job.attempts;
    this.startedAtMs = time.nowMs();
    this.payload = job.payload;
    this.lastError = job.lastError;
    this.isErrorByEngine = job.isErrorByEngine;
    this.timeToLiveEndMs = job.expireAtMs;
    this.grantedMs = duration.toMillis();
    this.deadlineMonotonicMs = time.monotonicMs() + grantedMs;
  }

  /** Whether it has not ended. */
  boolean isCurrent() {
    return job.lease.filter(lease -> lease == this).isPresent();
  }

  long remainingMs(ModelTime time) {
    return Math.max(0, deadlineMonotonicMs - time.monotonicMs());
  }
}

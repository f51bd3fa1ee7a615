package io.millrace.model;

import java.time.Duration;
import java.util.Optional;

/** A lease as the model keeps it. */
final class ModelLease {

  final ModelJob job;
  final String worker;
  final int attempt;
  final long startedAtMs;
  final byte[] payload;
  final Optional<String> lastError;
  final boolean isErrorByEngine;
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
    this.grantedMs = duration.toMillis();
    this.deadlineMonotonicMs = time.monotonicMs() + grantedMs;
  }

  long remainingMs(ModelTime time) {
    return Math.max(0, deadlineMonotonicMs - time.monotonicMs());
  }
}

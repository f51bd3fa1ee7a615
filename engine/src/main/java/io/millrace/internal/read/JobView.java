package io.millrace.internal.read;

import io.millrace.api.Backoff;
import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.RateLimit;
import io.millrace.api.SignalWait;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A job as a view of the store shows it. */
record JobView(
    JobId id,
    QueueName queue,
    JobState state,
    String type,
    Optional<String> uniqueKey,
    int priority,
    int weight,
    byte[] payload,
    Optional<byte[]> checkpointed,
    Map<String, String> headers,
    Optional<String> concurrencyKey,
    Optional<String> engineConcurrencyKey,
    OptionalInt engineConcurrencyMost,
    Optional<String> engineRateKey,
    Optional<RateLimit> engineRateLimit,
    int attempts,
    int maxAttempts,
    Backoff backoff,
    Instant enqueuedAt,
    Optional<Instant> visibleAt,
    Optional<String> lastError,
    Optional<Instant> diedAt,
    Optional<Job.Running> lease,
    Optional<Instant> completedAt,
    Optional<byte[]> result,
    Optional<Instant> expiresAt,
    Optional<SignalWait> signalWait,
    List<FinishedAttempt> history)
    implements Job {

  JobView {
    history = List.copyOf(history);
  }

  @Override
  public byte[] payload() {
    return payload.clone();
  }

  @Override
  public Optional<byte[]> checkpointed() {
    return checkpointed.map(byte[]::clone);
  }

  @Override
  public Optional<byte[]> result() {
    return result.map(byte[]::clone);
  }
}

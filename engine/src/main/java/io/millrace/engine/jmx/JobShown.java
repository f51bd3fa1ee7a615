package io.millrace.engine.jmx;

import io.millrace.api.FinishedAttempt;
import io.millrace.api.Job;
import io.millrace.api.RateLimit;
import io.millrace.api.SignalWait;
import io.millrace.management.AttemptSnapshot;
import io.millrace.management.BackoffSnapshot;
import io.millrace.management.JobSnapshot;
import io.millrace.management.LeaseSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A job in the shape that JMX knows. */
record JobShown(Job job) implements JobSnapshot {

  @Override
  public String getId() {
    return job.id().toString();
  }

  @Override
  public String getQueue() {
    return job.queue().name();
  }

  @Override
  public String getTenant() {
    return job.queue().tenant();
  }

  @Override
  public String getState() {
    return job.state().name();
  }

  @Override
  public String getType() {
    return job.type();
  }

  @Override
  public @Nullable String getUniqueKey() {
    return job.uniqueKey().orElse(null);
  }

  @Override
  public int getPriority() {
    return job.priority();
  }

  @Override
  public int getWeight() {
    return job.weight();
  }

  @Override
  public byte[] getPayload() {
    return job.payload();
  }

  @Override
  public byte @Nullable [] getCheckpointed() {
    return job.checkpointed().orElse(null);
  }

  @Override
  public Map<String, String> getHeaders() {
    return job.headers();
  }

  @Override
  public @Nullable String getConcurrencyKey() {
    return job.concurrencyKey().orElse(null);
  }

  @Override
  public @Nullable String getEngineConcurrencyKey() {
    return job.engineConcurrencyKey().orElse(null);
  }

  @Override
  public @Nullable Integer getEngineConcurrencyMost() {
    OptionalInt most = job.engineConcurrencyMost();
    return most.isPresent() ? most.getAsInt() : null;
  }

  @Override
  public @Nullable String getEngineRateKey() {
    return job.engineRateKey().orElse(null);
  }

  @Override
  public @Nullable String getEngineRateLimit() {
    return job.engineRateLimit().map(RateLimit::text).orElse(null);
  }

  @Override
  public int getAttempts() {
    return job.attempts();
  }

  @Override
  public int getMaxAttempts() {
    return job.maxAttempts();
  }

  @Override
  public BackoffSnapshot getBackoff() {
    return new BackoffShown(job.backoff());
  }

  @Override
  public long getEnqueuedAtMs() {
    return job.enqueuedAt().toEpochMilli();
  }

  @Override
  public @Nullable Long getVisibleAtMs() {
    return job.visibleAt().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public @Nullable String getLastError() {
    return job.lastError().orElse(null);
  }

  @Override
  public @Nullable Long getDiedAtMs() {
    return job.diedAt().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public @Nullable LeaseSnapshot getLease() {
    return job.lease().map(LeaseShown::new).orElse(null);
  }

  @Override
  public @Nullable Long getCompletedAtMs() {
    return job.completedAt().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public byte @Nullable [] getResult() {
    return job.result().orElse(null);
  }

  @Override
  public @Nullable Long getExpiresAtMs() {
    return job.expiresAt().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public @Nullable String getSignal() {
    return job.signalWait().map(SignalWait::signal).orElse(null);
  }

  @Override
  public @Nullable Long getSignalSinceMs() {
    return job.signalWait().map(wait -> wait.since().toEpochMilli()).orElse(null);
  }

  @Override
  public @Nullable Long getSignalDeadlineMs() {
    return job.signalWait().flatMap(SignalWait::deadline).map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public List<AttemptSnapshot> getHistory() {
    return job.history().stream().<AttemptSnapshot>map(AttemptShown::new).toList();
  }

  private record LeaseShown(Job.Running lease) implements LeaseSnapshot {

    @Override
    public long getToken() {
      return lease.token();
    }

    @Override
    public String getWorker() {
      return lease.worker();
    }

    @Override
    public long getStartedAtMs() {
      return lease.startedAt().toEpochMilli();
    }

    @Override
    public boolean isCancelRequested() {
      return lease.cancelRequested();
    }
  }

  private record AttemptShown(FinishedAttempt attempt) implements AttemptSnapshot {

    @Override
    public int getAttempt() {
      return attempt.attempt();
    }

    @Override
    public long getStartedAtMs() {
      return attempt.startedAt().toEpochMilli();
    }

    @Override
    public long getEndedAtMs() {
      return attempt.endedAt().toEpochMilli();
    }

    @Override
    public String getWorker() {
      return attempt.worker();
    }

    @Override
    public @Nullable String getError() {
      return attempt.error().orElse(null);
    }
  }
}

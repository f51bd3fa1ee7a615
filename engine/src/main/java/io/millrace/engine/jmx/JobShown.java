package io.millrace.engine.jmx;

import io.millrace.api.Job;
import io.millrace.management.BackoffSnapshot;
import io.millrace.management.JobSnapshot;
import io.millrace.management.LeaseSnapshot;
import java.time.Instant;
import java.util.Map;
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
  public Map<String, String> getHeaders() {
    return job.headers();
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
  }
}

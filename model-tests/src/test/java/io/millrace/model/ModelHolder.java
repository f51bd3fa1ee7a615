package io.millrace.model;

import io.millrace.api.CompleteResult;
import io.millrace.api.FailOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What the model does for the holder of a lease. */
final class ModelHolder {

  private final ReferenceModel model;

  ModelHolder(ReferenceModel model) {
    this.model = model;
  }

  CompleteResult complete(ModelLease lease) {
    if (isRefused(lease, "complete")) {
      return isGone(lease) ? CompleteResult.GONE : CompleteResult.STALE_LEASE;
    }
    model.remove(lease.job, Total.COMPLETED);
    model.coverage.reach("LEASED", "complete");
    return CompleteResult.COMPLETED;
  }

  /** How a fail ended: the state that the job went to, or what refused it. */
  enum FailOutcome {
    RETRIED,
    DEAD,
    CANCELLED,
    STALE_LEASE,
    GONE
  }

  FailOutcome fail(ModelLease lease, String error, FailOptions options) {
    if (isRefused(lease, "fail")) {
      return isGone(lease) ? FailOutcome.GONE : FailOutcome.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (model.changes.isCancelledBy(job, "fail")) {
      return FailOutcome.CANCELLED;
    }
    boolean isPermanent = options.retry() == FailOptions.Retry.FORBIDDEN;
    job.lastError = Optional.of(ModelRules.cut(error));
    job.isErrorByEngine = false;
    job.lease = Optional.empty();
    if (isPermanent || job.attempts >= job.options.maxAttempts()) {
      model.coverage.reach("LEASED", isPermanent ? "fail, permanent" : "fail, attempts used up");
      model.die(job);
      return FailOutcome.DEAD;
    }
    model.coverage.reach("LEASED", "fail, attempts left");
    model.queue(job.queue).count(Total.RETRIED);
    model.waitFor(job, ModelBackoff.waitMs(job.options.backoff(), job.attempts, options));
    return FailOutcome.RETRIED;
  }

  ReleaseResult release(ModelLease lease) {
    if (isRefused(lease, "release")) {
      return isGone(lease) ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
    }
    if (model.changes.isCancelledBy(lease.job, "release")) {
      return ReleaseResult.CANCELLED;
    }
    model.coverage.reach("LEASED", "release");
    handBack(lease.job);
    return ReleaseResult.RELEASED;
  }

  ReleaseResult snooze(ModelLease lease, Duration delay) {
    return snooze(lease, Objects.requireNonNull(delay), Instant.EPOCH);
  }

  ReleaseResult snooze(ModelLease lease, Instant until) {
    return snooze(lease, Duration.ZERO, until);
  }

  private ReleaseResult snooze(ModelLease lease, Duration delay, Instant until) {
    if (isRefused(lease, "snooze")) {
      return isGone(lease) ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (model.changes.isCancelledBy(job, "snooze")) {
      return ReleaseResult.CANCELLED;
    }
    job.lease = Optional.empty();
    job.attempts--;
    model.queue(job.queue).count(Total.SNOOZED);
    if (until.equals(Instant.EPOCH)) {
      model.waitFor(job, delay.toMillis());
    } else {
      model.waitUntil(job, until.toEpochMilli());
    }
    model.coverage.reach(
        "LEASED", job.state == JobState.READY ? "snooze, visible now" : "snooze, visible later");
    return ReleaseResult.RELEASED;
  }

  /** Answers whether the lease was lengthened. */
  boolean extend(ModelLease lease, Duration duration) {
    if (isRefused(lease, "extend")) {
      return false;
    }
    model.coverage.reach("LEASED", "extend");
    lengthen(lease, duration.toMillis());
    return true;
  }

  boolean checkpoint(ModelLease lease, byte[] payload) {
    if (isRefused(lease, "checkpoint")) {
      return false;
    }
    model.coverage.reach("LEASED", "checkpoint");
    lease.job.payload = payload;
    lengthen(lease, lease.grantedMs);
    return true;
  }

  boolean isGone(ModelLease lease) {
    return !model.jobs.containsKey(lease.job.number);
  }

  private boolean isRefused(ModelLease lease, String operation) {
    boolean isCurrent = !isGone(lease) && lease.job.lease.filter(lease::equals).isPresent();
    if (isCurrent && lease.remainingMs(model.time) > 0) {
      return false;
    }
    model.coverage.reach(isGone(lease) ? "none" : lease.job.state.name(), "stale " + operation);
    return true;
  }

  private void lengthen(ModelLease lease, long durationMs) {
    lease.grantedMs = Math.max(lease.grantedMs, durationMs);
    lease.deadlineMonotonicMs =
        Math.max(lease.deadlineMonotonicMs, model.time.monotonicMs() + durationMs);
  }

  void handBack(ModelJob job) {
    job.state = JobState.READY;
    job.attempts--;
    job.lease = Optional.empty();
    model.queue(job.queue).count(Total.RELEASED);
  }
}

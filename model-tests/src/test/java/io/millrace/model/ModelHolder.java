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
public final class ModelHolder {

  private final ReferenceModel model;

  ModelHolder(ReferenceModel model) {
    this.model = model;
  }

  public CompleteResult complete(ModelLease lease) {
    return complete(lease, Optional.empty());
  }

  public CompleteResult complete(ModelLease lease, Optional<byte[]> result) {
    if (isRefused(lease, "complete")) {
      return isGone(lease) ? CompleteResult.GONE : CompleteResult.STALE_LEASE;
    }
    Optional<Duration> kept =
        lease
            .job
            .options
            .resultRetention()
            .or(() -> model.queue(lease.job.queue).settings.resultRetention());
    if (kept.isPresent()) {
      keep(lease.job, result, kept.get());
      model.slots.handOn();
      return CompleteResult.COMPLETED;
    }
    model.remove(lease.job, Total.COMPLETED);
    model.coverage.reach("LEASED", "complete");
    model.slots.handOn();
    return CompleteResult.COMPLETED;
  }

  private void keep(ModelJob job, Optional<byte[]> result, Duration kept) {
    job.addAttempt(model.time.nowMs(), Optional.empty(), false);
    model.tallies.kept(job);
    model.keys.end(job);
    model.slots.leave(job);
    job.state = JobState.DONE;
    job.lease = Optional.empty();
    job.result = result;
    job.lastError = Optional.empty();
    job.isErrorByEngine = false;
    job.completedAtMs = model.time.nowMs();
    job.expireAtMs = model.time.steadyMs() + kept.toMillis();
    model.queue(job.queue).count(Total.COMPLETED);
    model.coverage.reach("LEASED", "complete, result kept");
  }

  /** How a fail ended: the state that the job went to, or what refused it. */
  public enum FailOutcome {
    RETRIED,
    DEAD,
    CANCELLED,
    STALE_LEASE,
    GONE
  }

  public FailOutcome fail(ModelLease lease, String error, FailOptions options) {
    if (isRefused(lease, "fail")) {
      return isGone(lease) ? FailOutcome.GONE : FailOutcome.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (model.changes.isCancelledBy(job, "fail")) {
      return FailOutcome.CANCELLED;
    }
    boolean isPermanent = options.retry() == FailOptions.Retry.FORBIDDEN;
    job.wake = ModelSignals.retry(job.wake);
    job.lastError = Optional.of(ModelRules.cut(error));
    job.isErrorByEngine = false;
    job.addAttempt(model.time.nowMs(), job.lastError, false);
    job.lease = Optional.empty();
    ModelQueue queue = model.queue(job.queue);
    if (isPermanent || job.attempts >= queue.maxAttempts(job)) {
      model.coverage.reach("LEASED", isPermanent ? "fail, permanent" : "fail, attempts used up");
      model.die(job);
      model.slots.handOn();
      return FailOutcome.DEAD;
    }
    model.coverage.reach("LEASED", "fail, attempts left");
    queue.count(Total.RETRIED);
    model.waitFor(job, ModelBackoff.waitMs(queue.backoff(job), job.attempts, options));
    model.slots.handOn();
    return FailOutcome.RETRIED;
  }

  public ReleaseResult release(ModelLease lease) {
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

  public ReleaseResult snooze(ModelLease lease, Duration delay) {
    return snooze(lease, Objects.requireNonNull(delay), Instant.EPOCH);
  }

  public ReleaseResult snooze(ModelLease lease, Instant until) {
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
    job.wake = "Slept";
    model.queue(job.queue).count(Total.SNOOZED);
    if (until.equals(Instant.EPOCH)) {
      model.waitFor(job, delay.toMillis());
    } else {
      model.waitUntil(job, until.toEpochMilli());
    }
    model.coverage.reach(
        "LEASED", job.state == JobState.DELAYED ? "snooze, visible later" : "snooze, visible now");
    model.slots.handOn();
    return ReleaseResult.RELEASED;
  }

  /** Answers whether the lease was lengthened. */
  public boolean extend(ModelLease lease, Duration duration) {
    if (isRefused(lease, "extend")) {
      return false;
    }
    model.coverage.reach("LEASED", "extend");
    lengthen(lease, duration.toMillis());
    return true;
  }

  public boolean checkpoint(ModelLease lease, byte[] state) {
    if (isRefused(lease, "checkpoint")) {
      return false;
    }
    model.coverage.reach("LEASED", "checkpoint");
    lease.job.checkpointed = Optional.of(state);
    lease.checkpointed = lease.job.checkpointed;
    lengthen(lease, lease.grantedMs);
    return true;
  }

  public boolean isGone(ModelLease lease) {
    return !model.jobs.containsKey(lease.job.number);
  }

  boolean isRefused(ModelLease lease, String operation) {
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

  public void handBack(ModelJob job) {
    job.lease.ifPresent(model.rates::giveBack);
    job.state = JobState.READY;
    job.attempts--;
    job.lease = Optional.empty();
    model.queue(job.queue).count(Total.RELEASED);
  }
}

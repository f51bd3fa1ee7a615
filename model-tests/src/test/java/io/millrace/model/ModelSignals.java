package io.millrace.model;

import io.millrace.api.BroadcastReport;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.api.WaitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Signals in the model: what jobs wait for, and what is kept until somebody waits for it. */
public final class ModelSignals {

  private static final int INBOX_COUNT_MAX = 100;

  private final ReferenceModel model;

  /** A signal that came before somebody waited for it. */
  record Kept(String name, String payload, long untilMs) {}

  ModelSignals(ReferenceModel model) {
    this.model = model;
  }

  /** A lease ends, and its job waits for as long as it takes. */
  public WaitResult waitFor(ModelLease lease, String signal) {
    return waitFor(lease, signal, OptionalLong.empty(), OptionalLong.empty());
  }

  /** As the other, but no longer than this. */
  public WaitResult waitFor(ModelLease lease, String signal, Duration most) {
    OptionalLong endMs = OptionalLong.of(model.time.steadyMs() + most.toMillis());
    return waitFor(lease, signal, OptionalLong.empty(), endMs);
  }

  /** As the other, until the instant at the latest. */
  public WaitResult waitFor(ModelLease lease, String signal, Instant deadline) {
    OptionalLong deadlineMs = OptionalLong.of(deadline.toEpochMilli());
    return waitFor(lease, signal, deadlineMs, OptionalLong.empty());
  }

  private WaitResult waitFor(
      ModelLease lease, String signal, OptionalLong deadlineMs, OptionalLong steadyDeadlineMs) {
    if (model.holder.isRefused(lease, "wait")) {
      return model.holder.isGone(lease) ? WaitResult.GONE : WaitResult.STALE_LEASE;
    }
    ModelJob job = lease.job;
    if (model.changes.isCancelledBy(job, "wait for signal")) {
      return WaitResult.CANCELLED;
    }
    job.lease = Optional.empty();
    job.attempts--;
    model.queue(job.queue).count(Total.WAITED);
    job.deadlineMs = deadlineMs;
    job.steadyDeadlineMs = steadyDeadlineMs;
    WaitResult result = begin(job, signal);
    model.slots.handOn();
    return result;
  }

  private WaitResult begin(ModelJob job, String signal) {
    Optional<Kept> kept = take(job.inbox, signal);
    if (kept.isEmpty()) {
      List<Kept> ofQueue = model.queue(job.queue).broadcasts;
      ofQueue.removeIf(broadcast -> broadcast.untilMs() <= model.time.steadyMs());
      kept = take(ofQueue, signal);
    }
    if (kept.isPresent()) {
      model.coverage.reach("LEASED", "wait for signal, signalled before");
      job.wake = signalled(signal, kept.get().payload());
      model.enterReady(job);
      return WaitResult.SIGNALLED;
    }
    if (job.deadlineMs.orElse(Long.MAX_VALUE) <= model.time.nowMs()
        || job.steadyDeadlineMs.orElse(Long.MAX_VALUE) <= model.time.steadyMs()) {
      model.coverage.reach("LEASED", "wait for signal, deadline passed");
      job.wake = timedOut(signal);
      model.enterReady(job);
      return WaitResult.TIMED_OUT;
    }
    model.coverage.reach("LEASED", "wait for signal");
    model.slots.putAside(job, JobState.WAITING);
    job.signal = signal;
    // Whoever waits again is told no more of what came before, also not after a redrive.
    job.wake = "First";
    job.waitSinceMs = model.time.nowMs();
    return WaitResult.WAITING;
  }

  private static Optional<Kept> take(List<Kept> kept, String signal) {
    Optional<Kept> first = kept.stream().filter(one -> one.name().equals(signal)).findFirst();
    first.ifPresent(kept::remove);
    return first;
  }

  /** An attempt that began so failed: the next one is told the signal once more. */
  static String retry(String wake) {
    if (wake.startsWith("Retry")) {
      return wake;
    }
    return wake.contains(" ") ? "Retry of " + wake : "Retry";
  }

  /** A dead letter lives again: it is told a signal once more, but not that none came. */
  static String redrive(String wake) {
    int told = Math.max(wake.indexOf("Signalled "), wake.indexOf("AfterBatch "));
    return told < 0 ? "First" : wake.substring(told);
  }

  private static String signalled(String signal, String payload) {
    return "Signalled " + signal + ":" + payload;
  }

  private static String timedOut(String signal) {
    return "TimedOut " + signal;
  }

  private void wake(ModelJob job, String event, String wake) {
    model.coverage.reach("WAITING", event);
    job.wake = wake;
    model.queue(job.queue).count(Total.WOKEN);
    model.enterReady(job);
  }

  public SignalResult send(int number, String signal, String payload) {
    ModelJob job = model.jobs.get(number);
    if (job == null || job.state == JobState.DONE) {
      model.coverage.reach(job == null ? "none" : job.state.name(), "signal");
      return SignalResult.GONE;
    }
    if (job.state == JobState.WAITING && job.signal.equals(signal)) {
      wake(job, "signal", signalled(signal, payload));
      model.slots.handOn();
      return SignalResult.WOKEN;
    }
    if (job.inbox.size() == INBOX_COUNT_MAX) {
      return SignalResult.INBOX_FULL;
    }
    model.coverage.reach(
        job.state.name(), job.state == JobState.WAITING ? "other signal" : "signal");
    job.inbox.add(new Kept(signal, payload, Long.MAX_VALUE));
    return SignalResult.KEPT;
  }

  /** To all who wait in the queue, or kept so long for the first who does. */
  public BroadcastReport broadcast(QueueName queue, String signal, String payload, long keptMs) {
    List<ModelJob> waiting =
        model.jobs(queue, JobState.WAITING).stream()
            .filter(job -> job.signal.equals(signal))
            .sorted(Comparator.comparingInt(job -> job.number))
            .toList();
    model.slots.call(
        () -> waiting.forEach(job -> wake(job, "broadcast", signalled(signal, payload))));
    boolean isKept = waiting.isEmpty() && keptMs > 0;
    if (waiting.isEmpty() && (isKept || model.queues.containsKey(queue))) {
      take(model.queue(queue).broadcasts, signal);
    }
    if (isKept) {
      model.queue(queue).broadcasts.add(new Kept(signal, payload, model.time.steadyMs() + keptMs));
    }
    return new BroadcastReport(waiting.size(), isKept);
  }

  public StuckResult failStuck(int number, String error) {
    ModelJob job = model.jobs.get(number);
    boolean isAfterBatch = job != null && job.awaited.isPresent();
    model.coverage.reach(
        job == null ? "none" : job.state.name(),
        isAfterBatch ? "fail stuck, after a batch" : "fail stuck");
    if (job == null || job.state == JobState.DONE) {
      return StuckResult.GONE;
    }
    if (job.state != JobState.WAITING || isAfterBatch) {
      return StuckResult.NOT_WAITING;
    }
    job.lastError = Optional.of(ModelRules.cut(error));
    job.isErrorByEngine = false;
    model.die(job);
    model.slots.handOn();
    return StuckResult.FAILED;
  }

  /** The job's deadline has passed. */
  void end(ModelJob job) {
    model.coverage.reach("WAITING", "deadline passed");
    job.wake = timedOut(job.signal);
    model.queue(job.queue).count(Total.WOKEN);
    model.enterReadyInStep(job);
  }
}

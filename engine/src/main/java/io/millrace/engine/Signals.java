package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.BroadcastReport;
import io.millrace.api.JobId;
import io.millrace.api.JobSignals;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.calls.CallLimits;
import io.millrace.internal.transition.job.SendSignal;
import io.millrace.internal.transition.queue.Broadcast;
import io.millrace.internal.transition.queue.GoOnBroadcast;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Signals, as callers send them. Any thread. */
final class Signals implements JobSignals {

  private final EngineCore core;

  Signals(EngineCore core) {
    this.core = core;
  }

  @Override
  public SignalResult signal(JobId job, String signal, byte[] payload) {
    Objects.requireNonNull(job, "job");
    SendSignal send = SignalWaits.sending(List.of(job), signal, payload);
    return Acts.onJob("signal", job, core.submitter().call(send).get(0));
  }

  @Override
  public CompletableFuture<SignalResult> signalAsync(JobId job, String signal, byte[] payload) {
    Objects.requireNonNull(job, "job");
    return core.submitter()
        .callAsync(SignalWaits.sending(List.of(job), signal, payload), results -> results.get(0));
  }

  @Override
  public List<SignalResult> signalAll(List<JobId> jobs, String signal, byte[] payload) {
    SendSignal send = SignalWaits.sending(CallLimits.ids(jobs), signal, payload);
    return jobs.isEmpty() ? List.of() : core.submitter().call(send);
  }

  @Override
  public CompletableFuture<List<SignalResult>> signalAllAsync(
      List<JobId> jobs, String signal, byte[] payload) {
    SendSignal send = SignalWaits.sending(CallLimits.ids(jobs), signal, payload);
    return jobs.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : core.submitter().callAsync(send, results -> results);
  }

  /**
   * Broadcasts a signal, and goes on until all jobs that waited have it. The engine does so by
   * itself, too; a caller that waits for it helps, and so learns how many jobs there were.
   */
  @Override
  public BroadcastReport broadcast(QueueName queue, String signal, byte[] payload, Duration kept) {
    Objects.requireNonNull(queue, "queue");
    byte[] name = SignalWaits.bytes(signal);
    byte[] copy = CallLimits.signalPayload(payload);
    long keptMs = Checks.upTo("kept", kept, Limits.DELAY_MAX).toMillis();
    Broadcast.Begun begun = core.submitter().call(new Broadcast(queue, name, copy, keptMs));
    while (begun.kind() == Broadcast.Begun.Kind.BUSY) {
      begun = core.submitter().call(new Broadcast(queue, name, copy, keptMs));
    }
    long wokenCount = begun.wokenCount();
    boolean isOver = begun.kind() != Broadcast.Begun.Kind.UNDER_WAY;
    while (!isOver) {
      GoOnBroadcast.Progress progress = goOn(begun.sequence());
      wokenCount = Math.max(wokenCount, progress.wokenCount());
      isOver = progress.isOver();
    }
    boolean isKept = begun.kind() == Broadcast.Begun.Kind.KEPT && keptMs > 0;
    BroadcastReport result = new BroadcastReport(wokenCount, isKept);
    Acts.onQueue("broadcast", queue, "woken=" + wokenCount + ", kept=" + isKept);
    return result;
  }

  /**
   * Wakes the next jobs of a broadcast. A refusal undoes nothing of what was begun, and becomes an
   * {@link OutcomeUnknownException}.
   */
  private GoOnBroadcast.Progress goOn(long sequence) {
    try {
      return core.submitter().call(new GoOnBroadcast(sequence));
    } catch (MillraceException e) {
      throw new OutcomeUnknownException(
          "broadcast is stored and goes on by itself, do not repeat it; how many jobs it wakes is"
              + " not known",
          e);
    }
  }
}

package io.millrace.client;

import io.millrace.api.BroadcastReport;
import io.millrace.api.JobId;
import io.millrace.api.JobSignals;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.calls.CallLimits;
import io.millrace.options.Checks;
import io.millrace.protocol.JobCalls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Signals to jobs of a server, as callers send them. Any thread. */
final class RemoteSignals implements JobSignals {

  private final Caller caller;

  RemoteSignals(Caller caller) {
    this.caller = caller;
  }

  @Override
  public SignalResult signal(JobId job, String signal, byte[] payload) {
    return Caller.await(signalAsync(job, signal, payload));
  }

  @Override
  public CompletableFuture<SignalResult> signalAsync(JobId job, String signal, byte[] payload) {
    Objects.requireNonNull(job, "job");
    return caller.later(sending(List.of(job), signal, payload), answer -> answer.results().get(0));
  }

  @Override
  public List<SignalResult> signalAll(List<JobId> jobs, String signal, byte[] payload) {
    return Caller.await(signalAllAsync(jobs, signal, payload));
  }

  @Override
  public CompletableFuture<List<SignalResult>> signalAllAsync(
      List<JobId> jobs, String signal, byte[] payload) {
    JobCalls.Signal send = sending(CallLimits.ids(jobs), signal, payload);
    return jobs.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : caller.later(send, JobCalls.Signal.Answer::results);
  }

  private JobCalls.Signal sending(List<JobId> jobs, String signal, byte[] payload) {
    return new JobCalls.Signal(
        jobs, CallLimits.signal(signal), CallLimits.signalPayload(payload), caller.durability());
  }

  @Override
  public BroadcastReport broadcast(QueueName queue, String signal, byte[] payload, Duration kept) {
    Objects.requireNonNull(queue, "queue");
    return caller
        .ask(
            new JobCalls.Broadcast(
                queue,
                CallLimits.signal(signal),
                CallLimits.signalPayload(payload),
                Checks.upTo("kept", kept, Limits.DELAY_MAX),
                caller.durability()))
        .report();
  }
}

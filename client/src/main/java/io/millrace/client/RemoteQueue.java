package io.millrace.client;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DeadLetters;
import io.millrace.api.DrainResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.Job;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.Submitted;
import io.millrace.calls.CallLimits;
import io.millrace.options.Checks;
import io.millrace.protocol.JobCalls;
import io.millrace.protocol.QueueCalls;
import io.millrace.protocol.ReadCalls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A queue of a server as its users see it. */
final class RemoteQueue implements JobQueue {

  /** The longest time for which a single call waits for a queue that is being drained. */
  private static final Duration DRAIN_STEP = Duration.ofSeconds(1);

  private final Caller caller;
  private final QueueName name;

  RemoteQueue(Caller caller, QueueName name) {
    this.caller = caller;
    this.name = Objects.requireNonNull(name, "name");
  }

  @Override
  public QueueName name() {
    return name;
  }

  @Override
  public JobQueue with(Durability durability) {
    return new RemoteQueue(caller.with(durability), name);
  }

  @Override
  public EnqueueResult offer(byte[] payload, EnqueueOptions options) {
    return Caller.await(offerAsync(payload, options));
  }

  @Override
  public CompletableFuture<EnqueueResult> offerAsync(byte[] payload, EnqueueOptions options) {
    return caller.later(
        enqueue(List.of(new NewJob(payload, options))), answer -> answer.results().get(0));
  }

  @Override
  public CompletableFuture<Enqueued> enqueueAsync(byte[] payload, EnqueueOptions options) {
    return caller.later(
        enqueue(List.of(new NewJob(payload, options))),
        answer -> answer.results().get(0).orThrow());
  }

  @Override
  public CompletableFuture<List<Enqueued>> enqueueAllAsync(List<NewJob> jobs) {
    return CallLimits.jobs(jobs).isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : caller.later(enqueue(jobs), answer -> EnqueueResult.allOrThrow(answer.results()));
  }

  @Override
  public List<EnqueueResult> offerAll(List<NewJob> jobs) {
    return Caller.await(offerAllAsync(jobs));
  }

  @Override
  public CompletableFuture<List<EnqueueResult>> offerAllAsync(List<NewJob> jobs) {
    return CallLimits.jobs(jobs).isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : caller.later(enqueue(jobs), JobCalls.Enqueue.Answer::results);
  }

  private JobCalls.Enqueue enqueue(List<NewJob> jobs) {
    return new JobCalls.Enqueue(name, jobs, caller.durability());
  }

  @Override
  public Submitted<byte[]> submit(byte[] payload, EnqueueOptions options) {
    return Caller.await(submitAsync(payload, options));
  }

  @Override
  public CompletableFuture<Submitted<byte[]>> submitAsync(byte[] payload, EnqueueOptions options) {
    return RemoteWaits.submit(caller, name, new NewJob(payload, options));
  }

  @Override
  public List<Lease> claim(ClaimOptions options) {
    return Caller.awaitOrEnd(claimAsync(options), List.of());
  }

  @Override
  public CompletableFuture<List<Lease>> claimAsync(ClaimOptions options) {
    return RemoteClaims.claim(caller, List.of(name), options);
  }

  @Override
  public Optional<QueueStats> stats() {
    return caller.look(new ReadCalls.Stats(name)).stats();
  }

  @Override
  public Page<Job> peek(JobState state, PageRequest page) {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(page, "page");
    return caller.look(new ReadCalls.Peek(name, state, page)).jobs();
  }

  @Override
  public DeadLetters deadLetters() {
    return new RemoteDeadLetters(caller, name);
  }

  @Override
  public QueueSettings settings() {
    return caller.look(new ReadCalls.Settings(Optional.of(name), Optional.empty())).settings();
  }

  @Override
  public void configure(UnaryOperator<QueueSettings> change) {
    RemoteSettings.change(caller, Optional.of(name), Optional.empty(), settings(), change);
  }

  @Override
  public void pause() {
    caller.ask(new QueueCalls.Pause(name, caller.durability()));
  }

  @Override
  public void resume() {
    caller.ask(new QueueCalls.Resume(name, caller.durability()));
  }

  @Override
  public long purge(Set<JobState> states) {
    Objects.requireNonNull(states, "states");
    return caller.ask(new QueueCalls.Purge(name, states, caller.durability())).count();
  }

  /** Waits in steps, so that nobody waits at the server for long who has gone here. */
  @Override
  public DrainResult drain(Duration waiting) {
    Checks.upTo("waiting", waiting, Limits.DELAY_MAX);
    DrainResult result = caller.ask(drainStep(Duration.ZERO)).result();
    long beganNs = caller.nowNs().getAsLong();
    Duration left = waiting;
    while (!result.isDone()
        && left.compareTo(Duration.ZERO) > 0
        && !Thread.currentThread().isInterrupted()) {
      Duration step = left.compareTo(DRAIN_STEP) < 0 ? left : DRAIN_STEP;
      result =
          Caller.awaitOrEnd(caller.later(drainStep(step), QueueCalls.Drain.Answer::result), result);
      left = waiting.minusNanos(caller.nowNs().getAsLong() - beganNs);
    }
    return result;
  }

  private QueueCalls.Drain drainStep(Duration waiting) {
    return new QueueCalls.Drain(name, waiting, caller.durability());
  }

  @Override
  public void endDrain() {
    caller.ask(new QueueCalls.EndDrain(name, caller.durability()));
  }

  @Override
  public boolean delete() {
    return caller.ask(new QueueCalls.DeleteQueue(name, caller.durability())).found();
  }

  @Override
  public String toString() {
    return "JobQueue[" + name + "]";
  }
}

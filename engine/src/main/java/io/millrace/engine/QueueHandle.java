package io.millrace.engine;

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
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import io.millrace.api.QueueStats;
import io.millrace.api.Submitted;
import io.millrace.calls.CallLimits;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.queue.Configure;
import io.millrace.internal.transition.queue.DropQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A queue as its users see it. */
final class QueueHandle implements JobQueue {

  private final EngineCore core;
  private final QueueName name;

  QueueHandle(EngineCore core, QueueName name) {
    this.core = core;
    this.name = Objects.requireNonNull(name, "name");
  }

  @Override
  public QueueName name() {
    return name;
  }

  @Override
  public JobQueue with(Durability durability) {
    return new QueueHandle(core.with(durability), name);
  }

  @Override
  public EnqueueResult offer(byte[] payload, EnqueueOptions options) {
    return core.submitter().call(new Enqueue(name, List.of(new NewJob(payload, options)))).get(0);
  }

  /**
   * Completes the future itself, not as a stage of {@link #offerAsync}: a stage that fails for want
   * of memory is never completed.
   */
  @Override
  public CompletableFuture<Enqueued> enqueueAsync(byte[] payload, EnqueueOptions options) {
    Enqueue enqueue = new Enqueue(name, List.of(new NewJob(payload, options)));
    return core.submitter().callAsync(enqueue, results -> results.get(0).orThrow());
  }

  @Override
  public CompletableFuture<List<Enqueued>> enqueueAllAsync(List<NewJob> jobs) {
    if (CallLimits.jobs(jobs).isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return core.submitter().callAsync(new Enqueue(name, jobs), EnqueueResult::allOrThrow);
  }

  @Override
  public CompletableFuture<EnqueueResult> offerAsync(byte[] payload, EnqueueOptions options) {
    Enqueue enqueue = new Enqueue(name, List.of(new NewJob(payload, options)));
    return core.submitter().callAsync(enqueue, results -> results.get(0));
  }

  @Override
  public List<EnqueueResult> offerAll(List<NewJob> jobs) {
    if (CallLimits.jobs(jobs).isEmpty()) {
      return List.of();
    }
    return core.submitter().call(new Enqueue(name, jobs));
  }

  @Override
  public CompletableFuture<List<EnqueueResult>> offerAllAsync(List<NewJob> jobs) {
    if (CallLimits.jobs(jobs).isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return core.submitter().callAsync(new Enqueue(name, jobs), results -> results);
  }

  @Override
  public Submitted<byte[]> submit(byte[] payload, EnqueueOptions options) {
    return core.awaits().submit(name, payload, options);
  }

  @Override
  public CompletableFuture<Submitted<byte[]>> submitAsync(byte[] payload, EnqueueOptions options) {
    return core.awaits().submitAsync(name, payload, options);
  }

  @Override
  public List<Lease> claim(ClaimOptions options) {
    return core.claims().claim(List.of(name), options);
  }

  @Override
  public CompletableFuture<List<Lease>> claimAsync(ClaimOptions options) {
    return core.claims().claimAsync(List.of(name), options);
  }

  @Override
  public Optional<QueueStats> stats() {
    return core.stats(name);
  }

  @Override
  public Page<Job> peek(JobState state, PageRequest page) {
    return core.read(reader -> reader.peek(name, state, page));
  }

  @Override
  public DeadLetters deadLetters() {
    return new DeadLettersHandle(core, name);
  }

  @Override
  public QueueSettings settings() {
    return core.read(reader -> reader.settings(name));
  }

  @Override
  public void configure(UnaryOperator<QueueSettings> change) {
    QueueSettings changed =
        core.change(settings(), change, (held, to) -> Configure.settings(name, held, to));
    Acts.onQueue("configured", name, changed);
  }

  @Override
  public void pause() {
    core.submitter().call(Configure.paused(name));
    Acts.onQueue("paused", name);
  }

  @Override
  public void resume() {
    core.submitter().call(Configure.resumed(name));
    Acts.onQueue("resumed", name);
  }

  @Override
  public long purge(Set<JobState> states) {
    return new QueueRemoval(core, name).purge(states);
  }

  @Override
  public DrainResult drain(Duration waiting) {
    return new QueueRemoval(core, name).drain(waiting);
  }

  @Override
  public void endDrain() {
    core.submitter().call(Configure.notDraining(name));
    Acts.onQueue("drain ended", name);
  }

  @Override
  public boolean delete() {
    boolean wasThere = core.submitter().call(new DropQueue(name));
    Acts.onQueue("deleted", name, "there=" + wasThere);
    return wasThere;
  }

  @Override
  public String toString() {
    return "JobQueue[" + name + "]";
  }
}

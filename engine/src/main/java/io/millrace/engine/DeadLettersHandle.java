package io.millrace.engine;

import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.job.DeleteDead;
import io.millrace.internal.transition.job.Redrive;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/** A queue's dead letters as operators see them. */
final class DeadLettersHandle implements DeadLetters {

  /** The number of jobs that one commit redrives or deletes. */
  private static final int STEP = OpenBatch.Context.STEP_ROWS_LEAST;

  private final EngineCore core;
  private final QueueName queue;

  DeadLettersHandle(EngineCore core, QueueName queue) {
    this.core = core;
    this.queue = queue;
  }

  @Override
  public Page<Job> list(DeadFilter filter, PageRequest page) {
    return core.read(reader -> reader.deadLetters(queue, filter, page));
  }

  @Override
  public Optional<Job> get(JobId id) {
    return core.read(reader -> reader.get(id))
        .filter(job -> job.state() == JobState.DEAD && job.queue().equals(queue));
  }

  @Override
  public RedriveResult redrive(JobId id, Checkpointed checkpointed) {
    Objects.requireNonNull(checkpointed, "checkpointed");
    core.functions().check("tx.redrive");
    Optional<Job> job = core.read(reader -> reader.get(id));
    if (job.isPresent() && !job.get().queue().equals(queue)) {
      return new RedriveResult.NotDead();
    }
    RedriveResult result = core.submitter().call(new Redrive(List.of(id), checkpointed)).get(0);
    return Acts.onJob("redriven", id, result);
  }

  @Override
  public long redriveAll(DeadFilter filter, Checkpointed checkpointed) {
    Objects.requireNonNull(checkpointed, "checkpointed");
    return inSteps(
        "redriven",
        filter,
        ids ->
            core.submitter().call(new Redrive(ids, checkpointed)).stream()
                .filter(RedriveResult::isDone)
                .count());
  }

  @Override
  public boolean delete(JobId id) {
    core.functions().check();
    boolean wasThere =
        get(id).isPresent() && core.submitter().call(new DeleteDead(List.of(id))).get(0);
    return Acts.onJob("dead letter deleted", id, wasThere);
  }

  @Override
  public long deleteAll(DeadFilter filter) {
    return inSteps(
        "dead letters deleted",
        filter,
        ids ->
            core.submitter().call(new DeleteDead(ids)).stream()
                .filter(wasThere -> wasThere)
                .count());
  }

  /**
   * Carries out an act in steps, on those jobs alone that died before the call: one that is
   * redriven and dies again and again would keep it going for ever. A death that lies in the future
   * was before the call, too, and the wall clock was set back since.
   */
  private long inSteps(String act, DeadFilter filter, ToLongFunction<List<JobId>> step) {
    Objects.requireNonNull(filter, "filter");
    core.functions().check();
    return Acts.onJobs(act, queue, filter, changed -> inSteps(filter, step, changed));
  }

  private void inSteps(DeadFilter filter, ToLongFunction<List<JobId>> step, LongConsumer changed) {
    Instant called = Instant.ofEpochMilli(core.latestMs());
    Optional<String> cursor = Optional.empty();
    do {
      Page<Job> page = list(filter, new PageRequest(STEP, cursor));
      Instant listed = Instant.ofEpochMilli(core.latestMs());
      List<JobId> ids =
          page.items().stream()
              .filter(job -> !isBetween(called, job.diedAt().orElseThrow(), listed))
              .map(Job::id)
              .toList();
      changed.accept(ids.isEmpty() ? 0 : step.applyAsLong(ids));
      cursor = page.next();
    } while (cursor.isPresent());
  }

  /** Tells whether the instant is after the first and not after the last. */
  private static boolean isBetween(Instant first, Instant instant, Instant last) {
    return instant.isAfter(first) && !instant.isAfter(last);
  }
}

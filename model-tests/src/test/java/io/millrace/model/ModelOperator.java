package io.millrace.model;

import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.api.UniqueKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/** What the model does for an operator. */
public final class ModelOperator {

  private final ReferenceModel model;

  ModelOperator(ReferenceModel model) {
    this.model = model;
  }

  public CancelResult cancel(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "cancel");
    if (job == null) {
      return CancelResult.GONE;
    }
    if (job.state == JobState.LEASED) {
      return CancelResult.RUNNING;
    }
    if (job.state == JobState.DONE) {
      return CancelResult.GONE;
    }
    model.remove(job, Total.CANCELLED);
    model.slots.handOn();
    return CancelResult.CANCELLED;
  }

  /** The lease on a job is taken away from whoever holds it. */
  public JobReleaseResult release(int number) {
    ModelJob job = model.jobs.get(number);
    if (job == null || job.state != JobState.LEASED) {
      model.coverage.reach(job == null ? "none" : job.state.name(), "release by id");
      return job == null || job.state == JobState.DONE
          ? JobReleaseResult.GONE
          : JobReleaseResult.NOT_RUNNING;
    }
    if (model.changes.isCancelledBy(job, "release by id")) {
      return JobReleaseResult.CANCELLED;
    }
    model.coverage.reach("LEASED", "release by id");
    model.holder.handBack(job);
    return JobReleaseResult.RELEASED;
  }

  public List<ModelJob> deadLetters(QueueName queue, DeadFilter filter) {
    return model.jobs(queue, JobState.DEAD).stream()
        .filter(job -> ModelRules.matches(job, filter))
        .toList();
  }

  /**
   * A dead job lives again, if nobody holds its unique key.
   *
   * @param idOf what the engine calls a job
   */
  public RedriveResult redrive(int number, Checkpointed checkpointed, IntFunction<JobId> idOf) {
    ModelJob job = model.jobs.get(number);
    if (job == null || job.state != JobState.DEAD) {
      model.coverage.reach(job == null ? "none" : job.state.name(), "redrive");
      return job == null ? new RedriveResult.Gone() : new RedriveResult.NotDead();
    }
    Optional<UniqueKey> key = job.options.unique().filter(it -> it.scope() != UniqueKey.Scope.FOR);
    Optional<Integer> holder = key.flatMap(it -> model.keys.holder(job.queue, it.key()));
    if (holder.isPresent()) {
      model.coverage.reach("DEAD", "redrive, unique key held");
      return new RedriveResult.Duplicate(idOf.apply(holder.get()));
    }
    model.coverage.reach("DEAD", "redrive");
    key.ifPresent(it -> model.keys.take(job));
    job.attempts = 0;
    job.wake = ModelSignals.redrive(job.wake);
    if (checkpointed == Checkpointed.CLEAR) {
      job.checkpointed = Optional.empty();
    }
    job.expireAtMs = 0;
    model.tallies.changed(job);
    model.queue(job.queue).count(Total.REDRIVEN);
    model.enterReady(job);
    model.slots.handOn();
    return new RedriveResult.Redriven();
  }

  public boolean deleteDead(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "delete dead letter");
    if (job == null || job.state != JobState.DEAD) {
      return false;
    }
    model.remove(job, Total.DELETED);
    model.slots.handOn();
    return true;
  }

  /** Answers how many jobs were removed. */
  public int purge(QueueName queue, Set<JobState> states) {
    int count = 0;
    List<JobState> blockedFirst = new ArrayList<>(states);
    blockedFirst.sort(Comparator.comparing(state -> state != JobState.BLOCKED));
    for (JobState state : blockedFirst) {
      int priority = 0;
      for (ModelJob job : model.jobs(queue, state)) {
        // Each line is a step of its own.
        if (job.options.priority() != priority) {
          model.slots.handOn();
        }
        priority = job.options.priority();
        model.coverage.reach(state.name(), "purge");
        model.remove(job, Total.PURGED);
        count++;
      }
      model.slots.handOn();
    }
    return count;
  }

  /** Answers whether there was such a queue. */
  public boolean deleteQueue(QueueName queue) {
    for (ModelJob job : List.copyOf(model.jobs.values())) {
      if (job.queue.equals(queue)) {
        model.coverage.reach(job.state.name(), "queue deleted");
        model.tallies.ended(job, Total.PURGED);
        model.slots.leave(job);
        model.jobs.remove(job.number);
        job.lease = Optional.empty();
      }
    }
    model.keys.forget(queue);
    model.slots.handOn();
    return model.queues.remove(queue) != null;
  }
}

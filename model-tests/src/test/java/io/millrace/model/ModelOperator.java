package io.millrace.model;

import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    return CancelResult.CANCELLED;
  }

  public List<ModelJob> deadLetters(QueueName queue, DeadFilter filter) {
    return model.jobs(queue, JobState.DEAD).stream()
        .filter(job -> ModelRules.matches(job, filter))
        .toList();
  }

  public RedriveResult redrive(int number, Checkpointed checkpointed) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "redrive");
    if (job == null) {
      return RedriveResult.GONE;
    }
    if (job.state != JobState.DEAD) {
      return RedriveResult.NOT_DEAD;
    }
    job.attempts = 0;
    if (checkpointed == Checkpointed.CLEAR) {
      job.checkpointed = Optional.empty();
    }
    job.expireAtMs = 0;
    model.queue(job.queue).count(Total.REDRIVEN);
    model.enterReady(job);
    return RedriveResult.REDRIVEN;
  }

  public boolean deleteDead(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "delete dead letter");
    if (job == null || job.state != JobState.DEAD) {
      return false;
    }
    model.remove(job, Total.DELETED);
    return true;
  }

  /** Answers how many jobs were removed. */
  public int purge(QueueName queue, Set<JobState> states) {
    int count = 0;
    for (JobState state : states) {
      for (ModelJob job : model.jobs(queue, state)) {
        model.coverage.reach(state.name(), "purge");
        model.remove(job, Total.PURGED);
        count++;
      }
    }
    return count;
  }

  /** Answers whether there was such a queue. */
  public boolean deleteQueue(QueueName queue) {
    for (ModelJob job : List.copyOf(model.jobs.values())) {
      if (job.queue.equals(queue)) {
        model.coverage.reach(job.state.name(), "queue deleted");
        model.jobs.remove(job.number);
        job.lease = Optional.empty();
      }
    }
    return model.queues.remove(queue) != null;
  }
}

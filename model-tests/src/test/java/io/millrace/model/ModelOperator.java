package io.millrace.model;

import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import java.util.List;

/** What the model does for an operator. */
final class ModelOperator {

  private final ReferenceModel model;

  ModelOperator(ReferenceModel model) {
    this.model = model;
  }

  CancelResult cancel(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "cancel");
    if (job == null) {
      return CancelResult.GONE;
    }
    if (job.state == JobState.LEASED) {
      return CancelResult.RUNNING;
    }
    model.remove(job, Total.CANCELLED);
    return CancelResult.OK;
  }

  List<ModelJob> deadLetters(QueueName queue, DeadFilter filter) {
    return model.jobs(queue, JobState.DEAD).stream()
        .filter(job -> ModelRules.matches(job, filter))
        .toList();
  }

  RedriveResult redrive(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "redrive");
    if (job == null) {
      return RedriveResult.GONE;
    }
    if (job.state != JobState.DEAD) {
      return RedriveResult.NOT_DEAD;
    }
    job.attempts = 0;
    model.queue(job.queue).count(Total.REDRIVEN);
    model.enterReady(job);
    return RedriveResult.REDRIVEN;
  }

  boolean deleteDead(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "delete dead letter");
    if (job == null || job.state != JobState.DEAD) {
      return false;
    }
    model.remove(job, Total.DELETED);
    return true;
  }
}

package io.millrace.model;

import io.millrace.api.CancelResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import java.util.OptionalInt;

/** What the model does with a job that is named, other than to remove it at once. */
public final class ModelChanges {

  private final ReferenceModel model;

  ModelChanges(ReferenceModel model) {
    this.model = model;
  }

  public RescheduleResult reschedule(int number, long visibleAtMs) {
    ModelJob job = model.jobs.get(number);
    boolean isOver = job != null && (job.state == JobState.DEAD || job.state == JobState.DONE);
    if (job != null && job.state == JobState.WAITING) {
      model.coverage.reach(job.state.name(), "reschedule");
      return RescheduleResult.WAITING;
    }
    if (job == null || job.state == JobState.LEASED || isOver) {
      model.coverage.reach(job == null ? "none" : job.state.name(), "reschedule");
      return job == null || job.state == JobState.DONE
          ? RescheduleResult.GONE
          : job.state == JobState.DEAD ? RescheduleResult.DEAD : RescheduleResult.RUNNING;
    }
    String before = job.state.name();
    model.waitUntil(job, visibleAtMs);
    model.coverage.reach(
        before,
        job.state == JobState.DELAYED ? "reschedule, visible later" : "reschedule, visible now");
    model.slots.handOn();
    return RescheduleResult.RESCHEDULED;
  }

  public UpdateResult update(int number, UpdateOptions changes) {
    ModelJob job = model.jobs.get(number);
    if (job == null || job.state == JobState.LEASED || job.state == JobState.DONE) {
      model.coverage.reach(job == null ? "none" : job.state.name(), "update");
      return job != null && job.state == JobState.LEASED ? UpdateResult.RUNNING : UpdateResult.GONE;
    }
    int priority = job.options.priority();
    job.options = changed(job.options, changes);
    job.payload = changes.payload().orElse(job.payload);
    boolean isInOrder = job.state == JobState.READY || job.state == JobState.BLOCKED;
    if (!isInOrder) {
      model.coverage.reach(job.state.name(), "update");
    } else if (job.options.priority() == priority) {
      model.coverage.reach(job.state.name(), "update, same priority");
    } else {
      model.coverage.reach(job.state.name(), "update, new priority");
      model.goToTheBack(job);
      model.slots.handOn();
    }
    return UpdateResult.UPDATED;
  }

  private static EnqueueOptions changed(EnqueueOptions before, UpdateOptions changes) {
    EnqueueOptions options =
        before
            .priority(changes.priority().orElse(before.priority()))
            .weight(changes.weight().orElse(before.weight()))
            .headers(changes.headers().orElse(before.headers()));
    OptionalInt attempts = changes.maxAttempts();
    options = attempts.isPresent() ? options.maxAttempts(attempts.getAsInt()) : options;
    options = changes.backoff().map(options::backoff).orElse(options);
    return changes.leaseDuration().map(options::leaseDuration).orElse(options);
  }

  public CancelResult requestCancel(int number) {
    ModelJob job = model.jobs.get(number);
    model.coverage.reach(job == null ? "none" : job.state.name(), "request cancel");
    if (job == null || job.state == JobState.DONE) {
      return CancelResult.GONE;
    }
    if (job.state == JobState.LEASED) {
      job.isCancelRequested = true;
      return CancelResult.REQUESTED;
    }
    model.remove(job, Total.CANCELLED);
    model.slots.handOn();
    return CancelResult.CANCELLED;
  }

  /** A lease ends other than by a completion; answers whether the job goes with it. */
  public boolean isCancelledBy(ModelJob job, String event) {
    if (job.isCancelRequested) {
      model.coverage.reach("LEASED", event + ", cancel requested");
      model.remove(job, Total.CANCELLED);
      model.slots.handOn();
    }
    return job.isCancelRequested;
  }
}

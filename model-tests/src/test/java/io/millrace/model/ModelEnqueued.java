package io.millrace.model;

import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * How an enqueue ends in the model.
 *
 * @param job the new job; empty if there is none
 * @param holder the job that holds its unique key, of a duplicate
 * @param replaced the job that was cancelled for it
 */
public record ModelEnqueued(Optional<ModelJob> job, OptionalInt holder, OptionalInt replaced) {

  /** The queue takes no jobs. */
  static final ModelEnqueued REFUSED =
      new ModelEnqueued(Optional.empty(), OptionalInt.empty(), OptionalInt.empty());

  static ModelEnqueued duplicateOf(int holder) {
    return new ModelEnqueued(Optional.empty(), OptionalInt.of(holder), OptionalInt.empty());
  }

  static ModelEnqueued of(ModelJob job, Optional<ModelJob> replaced) {
    OptionalInt number =
        replaced.isEmpty() ? OptionalInt.empty() : OptionalInt.of(replaced.get().number);
    return new ModelEnqueued(Optional.of(job), OptionalInt.empty(), number);
  }

  public boolean isRefused() {
    return job.isEmpty() && holder.isEmpty();
  }

  /**
   * The answer that the engine must give.
   *
   * @param id what the engine calls the new job
   * @param idOf what it calls those before
   */
  public Enqueued answer(JobId id, IntFunction<JobId> idOf) {
    if (holder.isPresent()) {
      return Enqueued.duplicateOf(idOf.apply(holder.getAsInt()));
    }
    return replaced.isPresent()
        ? Enqueued.inPlaceOf(idOf.apply(replaced.getAsInt()), id)
        : new Enqueued(id);
  }
}

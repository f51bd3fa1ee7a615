package io.millrace.api;

import java.util.Objects;

/** How the redrive of one dead letter ended. */
public sealed interface RedriveResult {

  /** Whether the job is ready again. */
  default boolean isDone() {
    return this instanceof Redriven;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  default RedriveResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not redriven: " + this);
    }
    return this;
  }

  /** The job is ready again, at the back of its priority, with its attempts starting afresh. */
  record Redriven() implements RedriveResult {}

  /** The job is not dead; it stays as it is. */
  record NotDead() implements RedriveResult {}

  /**
   * Another job has taken the job's {@link UniqueKey} meanwhile: the job stays dead.
   *
   * @param holder the job that holds the key now
   */
  record Duplicate(JobId holder) implements RedriveResult {

    public Duplicate {
      Objects.requireNonNull(holder, "holder");
    }
  }

  /** The job does not exist; nothing was changed. */
  record Gone() implements RedriveResult {}
}

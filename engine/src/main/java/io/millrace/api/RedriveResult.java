package io.millrace.api;

import java.util.Objects;

/** The possible outcomes of redriving one dead letter. */
public sealed interface RedriveResult extends Result<RedriveResult> {

  /** Tells whether the job is ready again. */
  @Override
  default boolean isDone() {
    return this instanceof Redriven;
  }

  /**
   * Returns this result if the job was redriven.
   *
   * @throws NotDoneException the job was not redriven; nothing was changed
   */
  @Override
  default RedriveResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not redriven: " + this);
    }
    return this;
  }

  /** The job is ready again, at the back of its priority; its attempts start afresh. */
  record Redriven() implements RedriveResult {}

  /** The job is not dead; it stays as it is. */
  record NotDead() implements RedriveResult {}

  /**
   * The job stays dead because another job holds its {@link UniqueKey} now.
   *
   * @param holder the job that holds the key
   */
  record Duplicate(JobId holder) implements RedriveResult {

    public Duplicate {
      Objects.requireNonNull(holder, "holder");
    }
  }

  /** The job does not exist; nothing was changed. */
  record Gone() implements RedriveResult {}
}

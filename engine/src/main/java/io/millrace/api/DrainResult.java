package io.millrace.api;

/** The state of a drain when its call returns. */
public enum DrainResult implements Result<DrainResult> {
  /** The queue has no work left: no job is ready, delayed, leased, blocked or waiting. */
  EMPTY,
  /** The queue has jobs left and goes on refusing new ones. */
  DRAINING;

  /** Tells whether the queue has no work left. */
  @Override
  public boolean isDone() {
    return this == EMPTY;
  }

  /**
   * Returns this result if the queue has no work left.
   *
   * @throws NotDoneException some jobs are left; the drain goes on
   */
  @Override
  public DrainResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("queue is not empty yet: " + this);
    }
    return this;
  }
}

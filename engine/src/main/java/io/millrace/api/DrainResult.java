package io.millrace.api;

/** How a drain stands when its call returns. */
public enum DrainResult {
  /** Nothing is left to be worked on: no job is ready, delayed, leased, blocked or waiting. */
  EMPTY,
  /** Some jobs are left; the queue goes on refusing new ones. */
  DRAINING;

  /** Whether nothing is left to be worked on. */
  public boolean isDone() {
    return this == EMPTY;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException some jobs are left; the drain goes on
   */
  public DrainResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("queue is not empty yet: " + this);
    }
    return this;
  }
}

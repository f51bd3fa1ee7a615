package io.millrace.api;

/** How a reschedule ended. */
public enum RescheduleResult {
  /**
   * The job waits for its new time; or it is ready, at the back of its priority, if that passed.
   */
  OK,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job waits for a signal, and for no time: it stays as it is. */
  WAITING,
  /** The job is a dead letter and stays as it is: redrive it. */
  DEAD,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE;

  /** Whether the job has its new time. */
  public boolean isDone() {
    return this == OK;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
  public RescheduleResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not rescheduled: " + this);
    }
    return this;
  }
}

package io.millrace.api;

/** The possible outcomes of a reschedule. */
public enum RescheduleResult implements Result<RescheduleResult> {
  /**
   * The job waits for its new time. If that has passed, it is ready, at the back of its priority.
   */
  RESCHEDULED,
  /** The job is leased and stays as it is. */
  RUNNING,
  /** The job waits for a signal and not for a time: it stays as it is. */
  WAITING,
  /** The job is a dead letter and stays as it is: redrive it. */
  DEAD,
  /** The job does not exist, or has ended; nothing was changed. */
  GONE;

  /** Tells whether the job has its new time. */
  @Override
  public boolean isDone() {
    return this == RESCHEDULED;
  }

  /**
   * Returns this result if the job was rescheduled.
   *
   * @throws NotDoneException the job was not rescheduled; nothing was changed
   */
  @Override
  public RescheduleResult orThrow() {
    if (!isDone()) {
      throw new NotDoneException("job was not rescheduled: " + this);
    }
    return this;
  }
}

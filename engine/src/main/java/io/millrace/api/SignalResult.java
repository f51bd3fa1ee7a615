package io.millrace.api;

/** The possible outcomes of sending a signal to one job. */
public enum SignalResult implements Result<SignalResult> {
  /**
   * The job waited for the signal, and is now ready, or blocked if its concurrency key has no slot.
   */
  WOKEN,
  /**
   * The job does not wait for the signal now. The signal is kept until it does, behind those that
   * came before.
   */
  KEPT,
  /**
   * The job has as many kept signals as it may have, {@value Limits#INBOX_COUNT_MAX}: this signal
   * is not kept.
   */
  INBOX_FULL,
  /** The job is completed, or no longer exists: it will never receive the signal. */
  GONE;

  /** Tells whether the job has the signal, or will have it. */
  @Override
  public boolean isDone() {
    return this == WOKEN || this == KEPT;
  }

  /**
   * Returns this result if the job has the signal, or will have it.
   *
   * @throws NotDoneException the signal was not taken; nothing was changed
   */
  @Override
  public SignalResult orThrow() {
    return switch (this) {
      case INBOX_FULL ->
          throw new NotDoneException(
              "signal was not taken: as many are kept for the job as may be: most="
                  + Limits.INBOX_COUNT_MAX);
      case GONE -> throw new NotDoneException("signal was not taken: the job is gone");
      default -> this;
    };
  }
}

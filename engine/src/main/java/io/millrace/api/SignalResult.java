package io.millrace.api;

/** What became of a signal to one job. */
public enum SignalResult {
  /** The job waited for it, and is ready, or blocked if its concurrency key has no slot. */
  WOKEN,
  /**
   * The job does not wait for it now: the signal is kept until it does, behind those that came
   * before.
   */
  KEPT,
  /**
   * The job has as many kept signals as it may have, {@value Limits#INBOX_COUNT_MAX}: this one is
   * not kept.
   */
  INBOX_FULL,
  /** The job is completed, or no longer exists: nobody will ever get it. */
  GONE;

  /** Whether the job has the signal, or will have it. */
  public boolean isDone() {
    return this == WOKEN || this == KEPT;
  }

  /**
   * This, if it is done.
   *
   * @throws NotDoneException it was not; nothing was changed
   */
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

package io.millrace.api;

/**
 * Thrown when a lease had ended before the call. Nothing was changed. The time of a job's lease had
 * passed, another call had finished it, or the job is gone. Stop working on the job; if it still
 * exists, it will be, or is being, worked on under another lease. If it was a lease on a queue,
 * that lease is over: jobs that were claimed through it stay with their holders.
 */
public final class LeaseLostException extends NotDoneException {

  private static final long serialVersionUID = 1L;

  public LeaseLostException(String message) {
    super(message);
  }

  static LeaseLostException stale(String asked) {
    return new LeaseLostException(
        asked + " was not done: the lease is no longer the job's current one; stop working on it");
  }

  static LeaseLostException ofQueue(String asked) {
    return new LeaseLostException(
        asked + " was not done: the lease on the queue is over; lease it again to go on");
  }

  static LeaseLostException gone(String asked) {
    return new LeaseLostException(
        asked + " was not done: the job no longer exists; stop working on it");
  }
}

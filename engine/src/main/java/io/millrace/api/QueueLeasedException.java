package io.millrace.api;

/**
 * Thrown when a queue was not leased because another lease on it exists. Nothing was changed. Try
 * it later.
 */
public final class QueueLeasedException extends NotDoneException {

  private static final long serialVersionUID = 1L;

  QueueLeasedException(QueueLeaseResult.QueueLeased held) {
    super(
        "queue is leased: queue="
            + held.queue()
            + ", worker="
            + held.worker()
            + ", until="
            + held.until());
  }
}

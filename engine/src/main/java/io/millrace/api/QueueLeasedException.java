package io.millrace.api;

/** The queue was not leased, for somebody else has it. Nothing was changed. Try it later. */
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

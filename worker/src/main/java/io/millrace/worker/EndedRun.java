package io.millrace.worker;

import io.millrace.api.Lease;
import io.millrace.worker.JobRunEnd.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run, as the log tells it.
 *
 * @param failure the exception that ended it
 * @param unreadable the exception that says why the payload could not be read
 * @param said the handler's answer
 * @param told the reason for which the handler was told to stop
 */
record EndedRun(
    Lease lease,
    Handlers.@Nullable TypeHandler<?> handler,
    Outcome outcome,
    @Nullable Throwable failure,
    @Nullable Throwable unreadable,
    @Nullable Next said,
    @Nullable StopReason told) {

  @Nullable Throwable thrown() {
    return failure == null ? unreadable : failure;
  }

  /**
   * Returns the cause of this end in one line. Calls methods of the exception, which may throw in
   * turn.
   */
  String why() {
    @Nullable Throwable thrown = thrown();
    if (told == StopReason.TIMEOUT && handler != null) {
      String time = "timed out after " + handler.options().timeout().orElseThrow();
      return thrown == null ? time : time + ": " + ErrorText.line(thrown);
    }
    if (thrown != null) {
      return (failure == null ? "payload cannot be read: " : "") + ErrorText.line(thrown);
    }
    if (handler == null) {
      return JobRun.NO_HANDLER + lease.type();
    }
    if (told == StopReason.WORKER_STOPS) {
      return "its worker stopped";
    }
    if (said instanceof Next.Dead dead) {
      return ErrorText.line(dead.reason());
    }
    return said instanceof Next.Retry retry
        ? ErrorText.line(retry.reason())
        : "the next job was refused";
  }
}

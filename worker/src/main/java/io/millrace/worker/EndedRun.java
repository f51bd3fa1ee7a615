package io.millrace.worker;

import io.millrace.api.Lease;
import io.millrace.worker.JobRunEnd.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, as the log is to tell it.
 *
 * @param failure what was thrown
 * @param unreadable why the payload could not be read
 * @param said what the handler wants of its job
 * @param told why the handler was to stop
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

  /** In one line, what it ended of. Asks what was thrown, which may throw in turn. */
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

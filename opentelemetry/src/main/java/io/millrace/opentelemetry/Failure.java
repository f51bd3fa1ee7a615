package io.millrace.opentelemetry;

import io.millrace.api.EnqueueResult;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The words for what an operation failed of. */
final class Failure {

  private Failure() {}

  /** Returns the name of the exception's class. */
  static String name(Throwable thrown) {
    @Nullable String canonical = thrown.getClass().getCanonicalName();
    return canonical == null ? thrown.getClass().getName() : canonical;
  }

  /** Returns the exception without the one that dependent futures wrap it in. */
  static Throwable causeOf(Throwable thrown) {
    @Nullable Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  /** Returns the word for the reason why a queue did not take a job. */
  static String name(EnqueueResult.Refused refused) {
    if (refused instanceof EnqueueResult.QueueFull) {
      return "queue_full";
    }
    return refused instanceof EnqueueResult.Draining ? "draining" : "batch_over";
  }
}

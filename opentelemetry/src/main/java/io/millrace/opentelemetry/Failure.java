package io.millrace.opentelemetry;

import io.millrace.api.EnqueueResult;
import io.millrace.api.Result;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The words for what came of an operation, and for what it failed of. */
final class Failure {

  private static final Pattern INNER_CAPITAL = Pattern.compile("(?<=[a-z])(?=[A-Z])");

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

  /** Returns the word for what came of a call: {@code stale_lease} of an enum or a record. */
  static String word(Result<?> result) {
    String word =
        result instanceof Enum<?> one
            ? one.name()
            : INNER_CAPITAL.matcher(result.getClass().getSimpleName()).replaceAll("_");
    return word.toLowerCase(Locale.ROOT);
  }

  /** Returns the word for the reason why a queue did not take a job. */
  static String name(EnqueueResult.Refused refused) {
    if (refused instanceof EnqueueResult.QueueFull) {
      return "queue_full";
    }
    return refused instanceof EnqueueResult.Draining ? "draining" : "batch_over";
  }
}

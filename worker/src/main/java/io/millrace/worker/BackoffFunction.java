package io.millrace.worker;

import io.millrace.api.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says when a job whose attempt failed is tried again, by what it failed of: see {@link
 * HandlerOptions#backoff(BackoffFunction)}. Called by the threads of the worker, several at a time.
 */
@FunctionalInterface
public interface BackoffFunction {

  /**
   * How long the job is to wait: none if it is to wait as it would without this function.
   *
   * <p>A failure of the function itself, an answer of null, and one that is negative or longer than
   * {@link Limits#DELAY_MAX} are as if it had said none; the first of each worker and type is
   * logged.
   *
   * @param attempt which attempt failed; the first is 1
   * @param thrown what the handler threw; null if it threw nothing, for it answered {@link
   *     Next#retry(String)}, or returned when its time was over
   */
  Optional<Duration> waitAfter(int attempt, @Nullable Throwable thrown);
}

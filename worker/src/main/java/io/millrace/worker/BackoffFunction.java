package io.millrace.worker;

import io.millrace.api.Limits;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A rule for the wait of a job after a failed attempt, by the failure: see {@link
 * HandlerOptions#backoff(BackoffFunction)}. Called by the threads of the worker, several at a time.
 */
@FunctionalInterface
public interface BackoffFunction {

  /**
   * Returns how long the job waits before its next attempt; empty to leave the wait to the
   * handler's or the job's own backoff.
   *
   * <p>If the function fails, answers null, or answers a wait that is negative or longer than
   * {@link Limits#DELAY_MAX}, the answer counts as empty. The first such case of each worker and
   * type is logged.
   *
   * @param attempt the number of the attempt that failed; the first is 1
   * @param thrown the handler's exception; null if the handler threw nothing, but answered {@link
   *     Next#retry(String)}, or returned after its timeout
   * @throws RuntimeException counts as an empty answer
   */
  Optional<Duration> waitAfter(int attempt, @Nullable Throwable thrown);
}

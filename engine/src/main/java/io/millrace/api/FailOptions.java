package io.millrace.api;

import java.time.Duration;
import java.util.Optional;

/**
 * How a failed job goes on.
 *
 * @param retry whether it may be tried again
 * @param delay the wait before that, in place of the job's backoff and capped by the backoff's max
 */
public record FailOptions(Retry retry, Optional<Duration> delay) {

  /** Try again after the job's backoff. */
  public static final FailOptions RETRY = new FailOptions(Retry.ALLOWED, Optional.empty());

  /** Do not try again: the job is dead. */
  public static final FailOptions PERMANENT = new FailOptions(Retry.FORBIDDEN, Optional.empty());

  /** Whether a failed job may be tried again. */
  public enum Retry {
    ALLOWED,
    FORBIDDEN
  }

  public FailOptions {
    delay.ifPresent(value -> Limits.delay("delay", value));
  }

  /** Try again after this wait. */
  public static FailOptions retryAfter(Duration delay) {
    return new FailOptions(Retry.ALLOWED, Optional.of(delay));
  }
}

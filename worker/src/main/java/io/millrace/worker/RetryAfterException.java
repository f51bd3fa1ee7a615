package io.millrace.worker;

import io.millrace.api.Limits;
import io.millrace.options.Checks;
import java.io.Serial;
import java.time.Duration;

/**
 * A failure after which the job is to be tried again after a time that the handler knows, such as
 * the one that a server names in {@code Retry-After}. Any handler may throw it. Those of {@code
 * handle} and {@code compute}, which answer no {@link Next}, use it in place of {@link
 * Next#retry(String, Duration)}. It holds also where {@link HandlerOptions#permanent} or {@link
 * HandlerOptions#releaseOn} names a superclass. The attempt counts like any that failed: if it was
 * the last, the job is dead.
 */
public final class RetryAfterException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * Creates a failure with this text.
   *
   * @param delay the wait, in place of any backoff; from none to {@link Limits#DELAY_MAX}
   * @throws IllegalArgumentException the delay is out of this range
   */
  public RetryAfterException(Duration delay, String message) {
    super(message);
    this.delay = Checks.upTo("delay", delay, Limits.DELAY_MAX);
  }

  /**
   * Creates a failure with a cause; see {@link #RetryAfterException(Duration, String)}.
   *
   * @throws IllegalArgumentException the delay is not from none to {@link Limits#DELAY_MAX}
   */
  public RetryAfterException(Duration delay, String message, Throwable cause) {
    super(message, cause);
    this.delay = Checks.upTo("delay", delay, Limits.DELAY_MAX);
  }

  /** Returns the time that the job waits. */
  public Duration delay() {
    return delay;
  }
}

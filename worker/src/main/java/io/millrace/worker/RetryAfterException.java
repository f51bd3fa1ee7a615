package io.millrace.worker;

import io.millrace.api.Limits;
import java.io.Serial;
import java.time.Duration;

/**
 * The attempt failed, and the job is to be tried again after a time that the handler knows, such as
 * what a server says in {@code Retry-After}. Thrown by handlers, also by those of {@code handle}
 * and {@code compute}, which answer no {@link Next}; it is what {@link Next#retry(String,
 * Duration)} is for others. It holds also where {@link HandlerOptions#permanent} or {@link
 * HandlerOptions#releaseOn} names a superclass. The attempt counts as any that failed, and if it
 * was the last, the job is dead.
 */
public final class RetryAfterException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * A failure with this text.
   *
   * @param delay in place of what any backoff says; from none to {@link Limits#DELAY_MAX}
   * @throws IllegalArgumentException the delay is out of this range
   */
  public RetryAfterException(Duration delay, String message) {
    super(message);
    this.delay = Limits.delay("delay", delay);
  }

  /** As the other, because of this. */
  public RetryAfterException(Duration delay, String message, Throwable cause) {
    super(message, cause);
    this.delay = Limits.delay("delay", delay);
  }

  /** How long the job waits. */
  public Duration delay() {
    return delay;
  }
}

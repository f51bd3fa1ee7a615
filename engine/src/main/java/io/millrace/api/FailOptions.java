package io.millrace.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How a failed job goes on. Immutable: start from {@link #RETRY} and change what differs. */
public final class FailOptions extends Options {

  /** Try again after the job's backoff. */
  public static final FailOptions RETRY = new FailOptions(Retry.ALLOWED, Optional.empty());

  /** Do not try again: the job is dead. */
  public static final FailOptions PERMANENT = new FailOptions(Retry.FORBIDDEN, Optional.empty());

  private final Retry retry;
  private final Optional<Duration> delay;

  /** Whether a failed job may be tried again. */
  public enum Retry {
    ALLOWED,
    FORBIDDEN
  }

  private FailOptions(Retry retry, Optional<Duration> delay) {
    this.retry = retry;
    this.delay = delay;
  }

  /** Try again after this wait, in place of the job's backoff and capped by the backoff's max. */
  public FailOptions delay(Duration value) {
    return new FailOptions(retry, Optional.of(Limits.delay("delay", value)));
  }

  public Retry retry() {
    return retry;
  }

  public Optional<Duration> delay() {
    return delay;
  }

  @Override
  Map<String, Object> values() {
    return values("retry", retry, "delay", delay);
  }
}

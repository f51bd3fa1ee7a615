package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The options of a failed attempt: how the job goes on. Immutable: start from {@link #RETRY} and
 * change what differs.
 */
public final class FailOptions extends Options {

  /** A retry after the job's backoff. */
  public static final FailOptions RETRY =
      new FailOptions(Retry.ALLOWED, Optional.empty(), Optional.empty());

  /** A permanent failure: the job is dead and not tried again. */
  public static final FailOptions PERMANENT =
      new FailOptions(Retry.FORBIDDEN, Optional.empty(), Optional.empty());

  private final Retry retry;
  private final Optional<Duration> delay;
  private final Optional<Backoff> backoff;

  /** The permission to try a failed job again. */
  public enum Retry {
    ALLOWED,
    FORBIDDEN
  }

  private FailOptions(Retry retry, Optional<Duration> delay, Optional<Backoff> backoff) {
    this.retry = retry;
    this.delay = delay;
    this.backoff = backoff;
  }

  /**
   * Sets the wait before the next attempt, in place of the backoff's wait and at most the backoff's
   * max.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public FailOptions delay(Duration value) {
    return new FailOptions(
        retry, Optional.of(Checks.upTo("delay", value, Limits.DELAY_MAX)), backoff);
  }

  /** Sets the backoff of the next attempt, in place of the job's. */
  public FailOptions backoff(Backoff value) {
    Objects.requireNonNull(value, "backoff");
    return new FailOptions(retry, delay, Optional.of(value));
  }

  public Retry retry() {
    return retry;
  }

  public Optional<Duration> delay() {
    return delay;
  }

  public Optional<Backoff> backoff() {
    return backoff;
  }

  @Override
  protected Map<String, Object> values() {
    return values("retry", retry, "delay", delay, "backoff", backoff);
  }
}

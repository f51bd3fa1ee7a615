package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;

/**
 * A limit on how many jobs may be started in a period: a bucket that holds at most {@code burst}
 * tokens, and gets {@code count} of them in each {@code per}, spread evenly. Each start takes one
 * token. A claim that finds none waits for the next. Immutable.
 *
 * <pre>{@code
 * RateLimit.of(100, Duration.ofSeconds(1))             // one each 10 ms
 * RateLimit.of(100, Duration.ofSeconds(1)).burst(20)   // after a pause 20 at once, then the same
 * }</pre>
 *
 * <p>So in any span of time {@code t} at most {@code burst + count × t / per} jobs are started.
 * Time is counted in whole milliseconds, and in each of them at most {@code burst} jobs are
 * started: more than 1,000 a second need a burst of more than 1.
 *
 * @param count the tokens that come in each {@code per}, 1 to {@value Limits#RATE_COUNT_MAX}
 * @param per the period, a whole number of milliseconds, from {@link Limits#RATE_PER_LEAST} to
 *     {@link Limits#RATE_PER_MAX}
 * @param burst the most tokens that are kept, 1 to {@value Limits#RATE_BURST_MAX}
 */
public record RateLimit(int count, Duration per, int burst) {

  private static final int NANOS_OF_MS = 1_000_000;

  /**
   * Creates a limit.
   *
   * @throws IllegalArgumentException a value is out of its range, or {@code per} is not a whole
   *     number of milliseconds
   */
  public RateLimit {
    Checks.inRange("rate limit's count", count, 1, Limits.RATE_COUNT_MAX);
    Checks.inRange("rate limit's per", per, Limits.RATE_PER_LEAST, Limits.RATE_PER_MAX);
    if (per.toNanosPart() % NANOS_OF_MS != 0) {
      throw new IllegalArgumentException(
          "rate limit's per has a part of a millisecond: value=" + per + "; round it");
    }
    Checks.inRange("rate limit's burst", burst, 1, Limits.RATE_BURST_MAX);
  }

  /**
   * Returns a limit of {@code count} starts in each {@code per}, spread evenly: its burst is 1.
   *
   * @throws IllegalArgumentException a value is out of its range, or {@code per} is not a whole
   *     number of milliseconds
   */
  public static RateLimit of(int count, Duration per) {
    return new RateLimit(count, per, 1);
  }

  /** Returns the limit as a text for people and files, such as {@code 100/PT1S burst 10}. */
  public String text() {
    return RateText.of(this);
  }

  /**
   * Parses a limit from its {@link #text}. Without a burst in the text it is 1.
   *
   * @throws IllegalArgumentException the text describes no limit; the message says why
   */
  public static RateLimit parse(String text) {
    return RateText.limit(text);
  }

  /**
   * Returns this limit with another burst: the most starts at once after a pause.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value
   *     Limits#RATE_BURST_MAX}
   */
  public RateLimit burst(int value) {
    return new RateLimit(count, per, value);
  }
}

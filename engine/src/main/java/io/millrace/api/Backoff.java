package io.millrace.api;

import io.millrace.options.Checks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The waiting time of a failed job before its next attempt. No wait is longer than {@link
 * Limits#DELAY_MAX}.
 */
public sealed interface Backoff {

  /**
   * Exponential waits from one second up to one hour, doubled each time, with a jitter of 0.2. With
   * the default of 20 attempts that is some eight hours in all, so that no outage of an evening
   * kills a job.
   */
  Backoff DEFAULT = new Exponential(Duration.ofSeconds(1), 2.0, Duration.ofHours(1), 0.2);

  /** The largest multiplier. */
  double MULTIPLIER_MAX = 100.0;

  /** The most entries of a custom list. */
  int LIST_SIZE_MAX = 100;

  /** Returns the longest wait, which also caps a delay that the failing worker chooses. */
  Duration max();

  /**
   * Returns the random share {@code j} of each wait. A wait {@code w} becomes one from {@code w ×
   * (1 − j)} to {@code w × (1 + j)}, but never longer than {@link #max}.
   */
  double jitter();

  /**
   * Returns this backoff as the text that {@link #parse} reads, such as {@code exponential
   * initial=PT1S multiplier=2.0 max=PT1H jitter=0.2}.
   */
  String text();

  /**
   * Parses a backoff from its text. Durations are written as in {@code PT30S}.
   *
   * @throws IllegalArgumentException the text describes no backoff; the message says why
   */
  static Backoff parse(String text) {
    return BackoffText.parse(text);
  }

  /**
   * Returns a backoff whose wait is always the same.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  static Backoff fixed(Duration delay) {
    return new Linear(Checks.upTo("delay", delay, Limits.DELAY_MAX), Duration.ZERO, delay, 0.0);
  }

  /**
   * Returns a backoff with one wait per failed attempt, in this order. The last one applies to all
   * further attempts.
   *
   * @throws IllegalArgumentException there are not 1 to {@value #LIST_SIZE_MAX} waits, or one is
   *     not from zero to {@link Limits#DELAY_MAX}
   */
  static Backoff list(Duration... delays) {
    return new Custom(Arrays.asList(Objects.requireNonNull(delays, "delays")), 0.0);
  }

  /** A wait of {@code initial × multiplier^(attempt − 1)}, at most {@code max}. */
  record Exponential(Duration initial, double multiplier, Duration max, double jitter)
      implements Backoff {
    /**
     * Creates a backoff.
     *
     * @throws IllegalArgumentException a time is not from zero to {@link Limits#DELAY_MAX}, {@code
     *     initial} is longer than {@code max}, the multiplier is not from 1 to {@value
     *     #MULTIPLIER_MAX}, or the jitter is not from 0 to 1
     */
    public Exponential {
      Checks.upTo("initial", initial, Limits.DELAY_MAX);
      Checks.upTo("max", max, Limits.DELAY_MAX);
      checkOrder(initial, max);
      if (!(multiplier >= 1.0 && multiplier <= MULTIPLIER_MAX)) {
        throw new IllegalArgumentException(
            "multiplier is out of range: value="
                + multiplier
                + ", least=1.0, most="
                + MULTIPLIER_MAX);
      }
      checkJitter(jitter);
    }

    @Override
    public String text() {
      return BackoffText.of(this);
    }
  }

  /**
   * A wait of {@code initial + step × (attempt − 1)}, at most {@code max}. With a step of zero the
   * wait is fixed.
   */
  record Linear(Duration initial, Duration step, Duration max, double jitter) implements Backoff {
    /**
     * Creates a backoff.
     *
     * @throws IllegalArgumentException a time is not from zero to {@link Limits#DELAY_MAX}, {@code
     *     initial} is longer than {@code max}, or the jitter is not from 0 to 1
     */
    public Linear {
      Checks.upTo("initial", initial, Limits.DELAY_MAX);
      Checks.upTo("step", step, Limits.DELAY_MAX);
      Checks.upTo("max", max, Limits.DELAY_MAX);
      checkOrder(initial, max);
      checkJitter(jitter);
    }

    @Override
    public String text() {
      return BackoffText.of(this);
    }
  }

  /**
   * A list of waits, used one after the other. The last one applies to all further attempts, and
   * the longest is the cap.
   */
  record Custom(List<Duration> delays, double jitter) implements Backoff {
    /**
     * Creates a backoff.
     *
     * @throws IllegalArgumentException there are not 1 to {@value #LIST_SIZE_MAX} waits, one is not
     *     from zero to {@link Limits#DELAY_MAX}, or the jitter is not from 0 to 1
     */
    public Custom {
      Objects.requireNonNull(delays, "delays");
      Checks.inRange("number of delays", delays.size(), 1, LIST_SIZE_MAX);
      delays =
          delays.stream().map(delay -> Checks.upTo("delays", delay, Limits.DELAY_MAX)).toList();
      checkJitter(jitter);
    }

    @Override
    public Duration max() {
      return delays.stream().max(Duration::compareTo).orElseThrow();
    }

    @Override
    public String text() {
      return BackoffText.of(this);
    }
  }

  private static void checkOrder(Duration initial, Duration max) {
    if (initial.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "initial is longer than max: initial=" + initial + ", max=" + max);
    }
  }

  private static void checkJitter(double jitter) {
    if (!(jitter >= 0.0 && jitter <= 1.0)) {
      throw new IllegalArgumentException(
          "jitter is out of range: value=" + jitter + ", least=0.0, most=1.0");
    }
  }
}

package io.millrace.api;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * How long a failed job waits before it is tried again. No wait is longer than {@link
 * Limits#DELAY_MAX}.
 */
public sealed interface Backoff {

  /**
   * One second, doubling, at most an hour, spread by a fifth: with the default of 20 attempts some
   * eight hours in all, so that no outage of an evening kills a job.
   */
  Backoff DEFAULT = new Exponential(Duration.ofSeconds(1), 2.0, Duration.ofHours(1), 0.2);

  /** Largest multiplier. */
  double MULTIPLIER_MAX = 100.0;

  /** Most entries of a custom list. */
  int LIST_SIZE_MAX = 100;

  /** The longest wait; also the cap on a delay that the failing worker chooses. */
  Duration max();

  /**
   * How much of a wait is random: a wait {@code w} becomes one from {@code w × (1 − j)} to {@code w
   * × (1 + j)}, never above max.
   */
  double jitter();

  /**
   * This backoff in the only way that {@link #parse} reads, such as {@code exponential initial=PT1S
   * multiplier=2.0 max=PT1H jitter=0.2}.
   */
  String text();

  /**
   * The backoff that a text tells of; durations are as {@code PT30S}.
   *
   * @throws IllegalArgumentException it tells of none, and why
   */
  static Backoff parse(String text) {
    return BackoffText.parse(text);
  }

  /** Always the same wait. */
  static Backoff fixed(Duration delay) {
    return new Linear(Limits.delay("delay", delay), Duration.ZERO, delay, 0.0);
  }

  /** The given waits one after the other; the last one stays. */
  static Backoff list(Duration... delays) {
    return new Custom(Arrays.asList(Objects.requireNonNull(delays, "delays")), 0.0);
  }

  /** {@code initial × multiplier^(attempt − 1)}, at most {@code max}. */
  record Exponential(Duration initial, double multiplier, Duration max, double jitter)
      implements Backoff {
    public Exponential {
      Limits.delay("initial", initial);
      Limits.delay("max", max);
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
   * {@code initial + step × (attempt − 1)}, at most {@code max}; with a step of zero a fixed wait.
   */
  record Linear(Duration initial, Duration step, Duration max, double jitter) implements Backoff {
    public Linear {
      Limits.delay("initial", initial);
      Limits.delay("step", step);
      Limits.delay("max", max);
      checkOrder(initial, max);
      checkJitter(jitter);
    }

    @Override
    public String text() {
      return BackoffText.of(this);
    }
  }

  /** The given waits one after the other; the last one stays. The cap is the longest of them. */
  record Custom(List<Duration> delays, double jitter) implements Backoff {
    public Custom {
      Objects.requireNonNull(delays, "delays");
      Limits.inRange("number of delays", delays.size(), 1, LIST_SIZE_MAX);
      delays = delays.stream().map(delay -> Limits.delay("delays", delay)).toList();
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

package io.millrace.jmh.load;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The middle of a figure's values over the rounds.
 *
 * @param median the middle value, or halfway between the two
 * @param spread (largest - smallest) / median: how noisy the machine was
 */
record Middle(double median, double spread) {

  private static final double NOTHING = 1e-9;

  /** Returns the middle of a figure over at least one round. */
  static <R> Middle of(List<R> rounds, ToDoubleFunction<R> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    double range = sorted[sorted.length - 1] - sorted[0];
    return new Middle(median, range / Math.max(NOTHING, median));
  }
}

package io.millrace.jmh.growth;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** An axis of a chart: values, and their places on the paper. */
final class Axis {

  /** The largest value over the smallest beyond which a linear axis would hide the small ones. */
  private static final double LINEAR_RATIO_MAX = 30;

  private static final int STEP_COUNT = 4;
  private static final String[] THOUSANDS = {"", "k", "M", "G", "T"};

  private final boolean isLog;
  private final double least;
  private final double most;
  private final double from;
  private final double to;
  private final List<Tick> ticks;

  /** A value that is marked on the axis, and how it is written. */
  record Tick(double value, String label) {}

  /** The places of an axis' two ends on the paper. */
  record Ends(double from, double to) {}

  private Axis(boolean isLog, double[] range, Ends ends, List<Tick> ticks) {
    this.isLog = isLog;
    this.least = range[0];
    this.most = range[1];
    this.from = ends.from;
    this.to = ends.to;
    this.ticks = ticks;
  }

  /** Returns a logarithmic axis from the smallest to the largest value; each of them has a tick. */
  static Axis ofAmounts(double[] values, DoubleFunction<String> label, Ends ends) {
    double[] sorted = DoubleStream.of(values).sorted().distinct().toArray();
    double[] range = {sorted[0], sorted[sorted.length - 1]};
    List<Tick> ticks =
        DoubleStream.of(sorted).mapToObj(value -> new Tick(value, label.apply(value))).toList();
    return new Axis(true, range, ends, ticks);
  }

  /**
   * Returns an axis for values: linear from 0, or logarithmic in whole decades if they are far
   * apart.
   */
  static Axis ofValues(double[] values, Ends ends) {
    double most = DoubleStream.of(values).max().orElse(1);
    double least = DoubleStream.of(values).filter(value -> value > 0).min().orElse(1);
    return most > least * LINEAR_RATIO_MAX ? decades(least, most, ends) : linear(most, ends);
  }

  private static Axis decades(double least, double most, Ends ends) {
    int first = (int) Math.floor(Math.log10(least));
    int last = (int) Math.ceil(Math.log10(most));
    List<Tick> ticks = new ArrayList<>();
    for (int i = first; i <= last; i++) {
      ticks.add(tick(Math.pow(10, i)));
    }
    return new Axis(true, new double[] {Math.pow(10, first), Math.pow(10, last)}, ends, ticks);
  }

  private static Axis linear(double most, Ends ends) {
    double step = niceStep(most > 0 ? most / STEP_COUNT : 1);
    int stepCount = Math.max(1, (int) Math.ceil(most / step));
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i <= stepCount; i++) {
      ticks.add(tick(i * step));
    }
    return new Axis(false, new double[] {0, stepCount * step}, ends, ticks);
  }

  /** Returns the next larger of 1, 2 and 5 times a power of ten. */
  private static double niceStep(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (int factor : new int[] {1, 2, 5}) {
      if (factor * power >= value) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  private static Tick tick(double value) {
    return new Tick(value, shortly(value));
  }

  List<Tick> ticks() {
    return ticks;
  }

  boolean isLog() {
    return isLog;
  }

  /** Tells whether the value has a place. */
  boolean has(double value) {
    return !isLog || value > 0;
  }

  double place(double value) {
    if (least == most) {
      return (from + to) / 2;
    }
    double share =
        isLog ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
    return from + share * (to - from);
  }

  /** Returns a number in three digits, such as {@code 1.25M}. */
  static String shortly(double value) {
    int thousands = 0;
    double rest = value;
    while (rest >= 999.5 && thousands < THOUSANDS.length - 1) {
      rest /= 1_000;
      thousands++;
    }
    String digits =
        rest == 0
            ? "0"
            : new BigDecimal(rest).round(new MathContext(3)).stripTrailingZeros().toPlainString();
    return digits + THOUSANDS[thousands];
  }

  /** Returns a number of bytes in powers of two where it is one, such as {@code 4Ki}. */
  static String bytes(double value) {
    long bytes = (long) value;
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "Mi";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + "Ki" : shortly(value);
  }
}

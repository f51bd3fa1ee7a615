package io.millrace.spi.testkit;

/** Probability of each fault at one call: 0 is never, and all together are at most 1. */
public record FaultRates(double before, double unknown, double after, double full, double slow) {

  public FaultRates {
    for (double rate : new double[] {before, unknown, after, full, slow}) {
      if (!(rate >= 0 && rate <= 1)) {
        throw new IllegalArgumentException("rate is not within 0..1: value=" + rate);
      }
    }
    double sum = before + unknown + after + full + slow;
    if (sum > 1) {
      throw new IllegalArgumentException("rates add up to more than 1: sum=" + sum);
    }
  }

  /** Returns the fault that a draw from 0 (inclusive) to 1 (exclusive) stands for. */
  Fault pick(double draw) {
    double rest = draw;
    if ((rest -= before) < 0) {
      return Fault.BEFORE;
    }
    if ((rest -= unknown) < 0) {
      return Fault.UNKNOWN;
    }
    if ((rest -= after) < 0) {
      return Fault.AFTER;
    }
    if ((rest -= full) < 0) {
      return Fault.FULL;
    }
    return rest - slow < 0 ? Fault.SLOW : Fault.NONE;
  }
}

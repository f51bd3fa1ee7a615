package io.millrace.internal.state;

/**
 * How much longer a lease lasts because of gaps in which the engine was away: no more than what it
 * had left to run before the first gap, and the longest gap.
 */
final class GapAllowance {

  private final long leftNs;
  private long gapsNs;
  private long longestNs;

  /**
   * No gap yet.
   *
   * @param leftNs what the lease had left to run before the first gap
   */
  GapAllowance(long leftNs) {
    this.leftNs = leftNs;
  }

  /** There was a gap; answers how much of it the lease does not get. */
  long add(long gapNs) {
    longestNs = Math.max(longestNs, gapNs);
    long tooMuchNs = Math.max(0, gapsNs + gapNs - leftNs - longestNs);
    gapsNs += gapNs - tooMuchNs;
    return tooMuchNs;
  }
}

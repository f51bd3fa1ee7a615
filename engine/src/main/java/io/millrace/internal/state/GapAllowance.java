package io.millrace.internal.state;

/**
 * The extra time that a lease gets for gaps in which the engine was away: at most what the lease
 * had left to run before the first gap, and the length of the longest gap.
 */
final class GapAllowance {

  private final long leftNs;
  private long gapsNs;
  private long longestNs;

  /**
   * Creates the allowance of a lease before its first gap.
   *
   * @param leftNs how long the lease had left to run before the first gap
   */
  GapAllowance(long leftNs) {
    this.leftNs = leftNs;
  }

  /** Adds a gap, and returns how much of it the lease does not get, in nanoseconds. */
  long add(long gapNs) {
    longestNs = Math.max(longestNs, gapNs);
    long tooMuchNs = Math.max(0, gapsNs + gapNs - leftNs - longestNs);
    gapsNs += gapNs - tooMuchNs;
    return tooMuchNs;
  }
}

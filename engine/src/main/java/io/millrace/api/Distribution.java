package io.millrace.api;

/**
 * A summary of how values are distributed. The percentiles are at most 3.2 % above the exact ones;
 * all other figures are exact. All are 0 if there was no value.
 *
 * @param count the number of values
 * @param sum the sum of all values
 * @param p50 the median: half of the values were at most this
 * @param p90 the 90th percentile: nine out of ten values were at most this
 * @param p99 the 99th percentile: 99 out of 100 values were at most this
 * @param max the largest value
 */
public record Distribution(long count, long sum, long p50, long p90, long p99, long max) {

  /** The distribution of no values. */
  public static final Distribution EMPTY = new Distribution(0, 0, 0, 0, 0, 0);

  /** Returns the mean, rounded down; 0 if there was no value. */
  public long mean() {
    return count == 0 ? 0 : sum / count;
  }
}

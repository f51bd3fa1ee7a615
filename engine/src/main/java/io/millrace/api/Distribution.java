package io.millrace.api;

/**
 * How values were spread. The percentiles are within 3.2 % above the exact ones; everything else is
 * exact. All are 0 if there was no value.
 *
 * @param count how many values
 * @param sum all of them together
 * @param p50 half of them were at most this
 * @param p90 nine out of ten were at most this
 * @param p99 99 out of 100 were at most this
 * @param max the largest
 */
public record Distribution(long count, long sum, long p50, long p90, long p99, long max) {

  /** Of no values. */
  public static final Distribution EMPTY = new Distribution(0, 0, 0, 0, 0, 0);

  /** The mean, rounded down; 0 if there was no value. */
  public long mean() {
    return count == 0 ? 0 : sum / count;
  }
}

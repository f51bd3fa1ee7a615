package io.millrace.internal.measure;

import io.millrace.api.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of values, in cells that are as wide as a 32nd of the values in them.
 *
 * <pre>
 * values 0 .. 31                  one cell each
 * each doubling above, up to
 * 2^42 - 1                        32 cells of equal width
 * larger values                   the last cell
 * </pre>
 *
 * <p>Log-linear as in HdrHistogram, but with a fixed range, so that a cell is found with a shift
 * and nothing ever grows.
 *
 * <p>One thread at a time writes, any may read: cells are written in order without a lock, and a
 * reader sees each either before or after a value.
 */
final class Histogram {

  private static final int LINEAR_BITS = 5;
  private static final int LINEAR_COUNT = 1 << LINEAR_BITS;
  private static final int VALUE_BITS = 42;
  private static final long VALUE_MAX = (1L << VALUE_BITS) - 1;

  /** The number of cells of a histogram. */
  static final int CELL_COUNT = (VALUE_BITS - LINEAR_BITS + 1) * LINEAR_COUNT;

  private static final int SUM = CELL_COUNT;
  private static final int MAX = CELL_COUNT + 1;

  private final AtomicLongArray cells = new AtomicLongArray(CELL_COUNT + 2);

  /** Adds a value; a negative one counts as 0. For the writer. */
  void add(long value) {
    long counted = Math.max(0, value);
    raise(SUM, counted);
    if (counted > cells.getPlain(MAX)) {
      cells.lazySet(MAX, counted);
    }
    raise(cellOf(counted), 1);
  }

  /** Forgets all values. For the writer. */
  void clear() {
    for (int i = 0; i < cells.length(); i++) {
      cells.lazySet(i, 0);
    }
  }

  /** Adds all values to a sum that the caller owns. For any thread. */
  void addTo(Values sum) {
    for (int i = 0; i < CELL_COUNT; i++) {
      sum.counts[i] += cells.get(i);
    }
    sum.sum += cells.get(SUM);
    sum.max = Math.max(sum.max, cells.get(MAX));
  }

  private void raise(int index, long by) {
    cells.lazySet(index, cells.getPlain(index) + by);
  }

  static int cellOf(long value) {
    if (value < LINEAR_COUNT) {
      return (int) value;
    }
    long inRange = Math.min(value, VALUE_MAX);
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(inRange) - LINEAR_BITS;
    return shift * LINEAR_COUNT + (int) (inRange >>> shift);
  }

  /** Returns the largest value of a cell. */
  static long largestOf(int cell) {
    if (cell < 2 * LINEAR_COUNT) {
      return cell;
    }
    int shift = cell / LINEAR_COUNT - 1;
    long first = (long) (cell - shift * LINEAR_COUNT) << shift;
    return first + (1L << shift) - 1;
  }

  /** A reader's copy, or a sum of several. For one thread. */
  static final class Values {

    private final long[] counts = new long[CELL_COUNT];
    private long sum;
    private long max;

    void add(Values other) {
      for (int i = 0; i < CELL_COUNT; i++) {
        counts[i] += other.counts[i];
      }
      sum += other.sum;
      max = Math.max(max, other.max);
    }

    Distribution distribution() {
      long count = 0;
      for (long each : counts) {
        count += each;
      }
      return count == 0
          ? Distribution.EMPTY
          : new Distribution(
              count, sum, percentile(count, 50), percentile(count, 90), percentile(count, 99), max);
    }

    /** Returns the counts by the number of bits of the values; those of a cell have the same. */
    List<Long> bitLengths() {
      long[] lengths = new long[VALUE_BITS + 1];
      for (int cell = 0; cell < CELL_COUNT; cell++) {
        lengths[Long.SIZE - Long.numberOfLeadingZeros(largestOf(cell))] += counts[cell];
      }
      return Arrays.stream(lengths).boxed().toList();
    }

    /** Returns the largest value of the cell in which the share of all values is reached. */
    private long percentile(long count, int percent) {
      long rank = count - count * (100 - percent) / 100;
      long seen = 0;
      for (int cell = 0; cell < CELL_COUNT; cell++) {
        seen += counts[cell];
        if (seen >= rank) {
          return Math.min(largestOf(cell), max);
        }
      }
      return max;
    }
  }
}

package io.millrace.internal.measure;

import io.millrace.api.Distribution;
import io.millrace.api.EngineMetrics;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Two histograms of the same values: one of all, and one of those of about the last minute.
 *
 * <p>The last minute is kept in slices of {@value #SLICE_NS} ns. A slice belongs to one period of
 * time, whose number stands beside it; the first value of a later period empties it. A reader sums
 * up the slices whose periods are recent, and leaves out one that was emptied while it read.
 *
 * <p>One thread at a time writes, any may read.
 */
final class RecentHistogram {

  private static final long SLICE_NS = 15_000_000_000L;

  /**
   * The number of slices: the period that has begun, and as many whole ones before it as make the
   * minute full.
   */
  private static final int SLICE_COUNT = 4;

  private static final long NO_PERIOD = -1;

  private final long originNs;
  private final Histogram all = new Histogram();
  private final Histogram[] slices = new Histogram[SLICE_COUNT];
  private final AtomicLongArray periods = new AtomicLongArray(SLICE_COUNT);

  /** Creates an empty histogram; times are counted from the given moment of the monotonic clock. */
  RecentHistogram(long originNs) {
    this.originNs = originNs;
    for (int i = 0; i < SLICE_COUNT; i++) {
      slices[i] = new Histogram();
      periods.set(i, NO_PERIOD);
    }
  }

  /** Adds a value that belongs to this moment. For the writer. */
  void add(long value, long nowNs) {
    all.add(value);
    long period = period(nowNs);
    int slice = (int) (period % SLICE_COUNT);
    if (periods.getPlain(slice) != period) {
      periods.set(slice, NO_PERIOD);
      slices[slice].clear();
      periods.set(slice, period);
    }
    slices[slice].add(value);
  }

  EngineMetrics.Spread spread(long nowNs) {
    Histogram.Values whole = new Histogram.Values();
    all.addTo(whole);
    return new EngineMetrics.Spread(recent(nowNs), whole.distribution(), whole.bitLengths());
  }

  private Distribution recent(long nowNs) {
    long newest = period(nowNs);
    Histogram.Values values = new Histogram.Values();
    for (int i = 0; i < SLICE_COUNT; i++) {
      long before = periods.get(i);
      if (before == NO_PERIOD || newest - before >= SLICE_COUNT) {
        continue;
      }
      Histogram.Values slice = new Histogram.Values();
      slices[i].addTo(slice);
      if (periods.get(i) == before) {
        values.add(slice);
      }
    }
    return values.distribution();
  }

  private long period(long nowNs) {
    return Math.max(0, nowNs - originNs) / SLICE_NS;
  }
}

package io.millrace.jmh.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Latencies of calls, by kind. Any thread records; one reads. */
final class Latencies {

  /** Kind of latency. */
  enum Call {
    ENQUEUE,
    CLAIM,
    COMPLETE,
    /** The time from the instant at which a job was due to the one at which its claim returned. */
    LATENESS
  }

  private static final int DIGITS = 3;

  private final Map<Call, Recorder> recorders = new EnumMap<>(Call.class);
  private final Map<Call, Histogram> totals = new EnumMap<>(Call.class);

  Latencies() {
    for (Call call : Call.values()) {
      recorders.put(call, new Recorder(DIGITS));
      totals.put(call, new Histogram(DIGITS));
    }
  }

  Recorder of(Call call) {
    return Objects.requireNonNull(recorders.get(call), "every call has a recorder");
  }

  /** Adds what was recorded since the last round to the totals. */
  void endRound() {
    recorders.forEach((call, recorder) -> total(call).add(recorder.getIntervalHistogram()));
  }

  /** Forgets what was recorded since the last round. */
  void dropRound() {
    recorders.values().forEach(Recorder::reset);
  }

  /** Returns a percentile in microseconds; 0 if nothing was recorded. */
  double percentileUs(Call call, double percentile) {
    Histogram histogram = total(call);
    return histogram.getTotalCount() == 0
        ? 0
        : histogram.getValueAtPercentile(percentile) / 1_000.0;
  }

  private Histogram total(Call call) {
    return Objects.requireNonNull(totals.get(call), "every call has a total");
  }
}

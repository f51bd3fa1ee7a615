package io.millrace.console.live;

import io.millrace.api.JobEvent;
import io.millrace.api.JobListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The times that jobs were ready before they were claimed, and that attempts lasted, since asked.
 */
final class JobTimes implements JobListener {

  private static final int DIGITS = 2;
  private static final long MOST_US = TimeUnit.DAYS.toMicros(30);

  private final Recorder waitUs = new Recorder(MOST_US, DIGITS);
  private final Recorder runUs = new Recorder(MOST_US, DIGITS);

  /** A histogram of the sampling thread alone, which reads one while the other fills. */
  private Histogram lastWaitUs = waitUs.getIntervalHistogram();

  private Histogram lastRunUs = runUs.getIntervalHistogram();

  @Override
  public void happened(JobEvent event) {
    event.waited().ifPresent(time -> record(waitUs, time));
    event.ran().ifPresent(time -> record(runUs, time));
  }

  private static void record(Recorder into, Duration time) {
    into.recordValue(Math.max(0, Math.min(MOST_US, time.toNanos() / 1_000)));
  }

  /** Begins a new span of time, and returns the times of the one that ended. */
  Point.Times take() {
    lastWaitUs = waitUs.getIntervalHistogram(lastWaitUs);
    lastRunUs = runUs.getIntervalHistogram(lastRunUs);
    return new Point.Times(
        lastWaitUs.getValueAtPercentile(50),
        lastWaitUs.getValueAtPercentile(99),
        lastRunUs.getValueAtPercentile(50),
        lastRunUs.getValueAtPercentile(99));
  }
}

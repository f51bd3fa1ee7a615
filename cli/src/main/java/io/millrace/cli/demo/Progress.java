package io.millrace.cli.demo;

import io.millrace.console.text.Amounts;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * A line that shows the demo's progress: drawn over itself on a terminal, elsewhere a new one now
 * and then.
 */
final class Progress {

  /** The way in which progress is shown. */
  enum Style {
    DRAWN_OVER,
    LINES
  }

  private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);

  private final Style style;
  private final PrintWriter out;
  private Duration nextLineAt = LINE_INTERVAL;

  Progress(Style style, PrintWriter out) {
    this.style = style;
    this.out = out;
  }

  /**
   * A moment of the run.
   *
   * @param doneCount jobs that are done, dead letters included
   * @param knownCount jobs enqueued so far
   * @param isScanned whether all jobs are enqueued
   * @param doneInRunCount jobs done since the process started
   * @param bytesRead bytes read since the process started
   * @param elapsed time since the process started
   */
  record Moment(
      long doneCount,
      long knownCount,
      boolean isScanned,
      long doneInRunCount,
      long bytesRead,
      Duration elapsed) {

    long jobsPerSecond() {
      return Math.round(doneInRunCount * 1000.0 / Math.max(1, elapsed.toMillis()));
    }
  }

  void show(Moment moment) {
    if (style == Style.DRAWN_OVER) {
      out.printf("\r%-78s", facts(moment)); // no escape sequences: any terminal will do
      out.flush();
    } else if (moment.elapsed().compareTo(nextLineAt) >= 0) {
      nextLineAt = moment.elapsed().plus(LINE_INTERVAL);
      out.println(facts(moment));
      out.flush();
    }
  }

  /** Makes room for other lines. */
  void end() {
    if (style == Style.DRAWN_OVER) {
      out.printf("\r%78s\r", "");
    }
  }

  static String facts(Moment moment) {
    long done = Math.min(moment.doneCount(), moment.knownCount());
    return String.format(
        Locale.ROOT,
        "%3d %%  %s/%s%s files  %s  %s jobs/s",
        moment.knownCount() == 0 ? 0 : 100 * done / moment.knownCount(),
        Amounts.count(moment.doneCount()),
        Amounts.count(moment.knownCount()),
        moment.isScanned() ? "" : "+",
        Amounts.bytes(moment.bytesRead()),
        Amounts.count(moment.jobsPerSecond()));
  }
}

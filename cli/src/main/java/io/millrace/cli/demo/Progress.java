package io.millrace.cli.demo;

import io.millrace.cli.text.Amounts;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows how far the demo is: a bar that is drawn again and again on a terminal, elsewhere a line
 * every few seconds.
 */
final class Progress {

  /** How it is shown. */
  enum Style {
    BAR,
    LINES
  }

  private static final int BAR_LENGTH = 30;
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);

  private final Style style;
  private final PrintWriter out;
  private Duration nextLineAt = LINE_INTERVAL;
  private int shownLength;

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
    if (style == Style.BAR) {
      draw(bar(moment));
    } else if (moment.elapsed().compareTo(nextLineAt) >= 0) {
      nextLineAt = moment.elapsed().plus(LINE_INTERVAL);
      out.println(facts(moment));
      out.flush();
    }
  }

  /** Removes the bar, so that other lines can follow. */
  void end() {
    if (shownLength > 0) {
      draw("");
      out.print('\r');
      out.flush();
    }
  }

  /** Writes over what was drawn before; no escape sequences, so that any terminal will do. */
  private void draw(String text) {
    out.print('\r');
    out.print(text);
    out.print(" ".repeat(Math.max(0, shownLength - text.length())));
    out.flush();
    shownLength = text.length();
  }

  static String bar(Moment moment) {
    int filled = (int) (BAR_LENGTH * share(moment));
    return "[" + "#".repeat(filled) + ".".repeat(BAR_LENGTH - filled) + "] " + facts(moment);
  }

  static String facts(Moment moment) {
    String known = Amounts.count(moment.knownCount()) + (moment.isScanned() ? "" : "+");
    return String.format(
        Locale.ROOT,
        "%3d %%  %s/%s files  %s  %s jobs/s",
        (int) (100 * share(moment)),
        Amounts.count(moment.doneCount()),
        known,
        Amounts.bytes(moment.bytesRead()),
        Amounts.count(moment.jobsPerSecond()));
  }

  private static double share(Moment moment) {
    return moment.knownCount() == 0
        ? 0
        : Math.min(1.0, (double) moment.doneCount() / moment.knownCount());
  }
}

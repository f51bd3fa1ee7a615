package io.millrace.jmh.load;

import java.io.PrintWriter;
import java.util.Locale;

/** Says on a line of its own, drawn again and again, how far a run is. */
public final class Progress {

  private static final String CLEAR = "\r" + " ".repeat(78) + "\r";

  private final PrintWriter out;
  private String what = "";

  /** Progress of the thing that is named on every line. */
  public Progress(PrintWriter out) {
    this.out = out;
  }

  /** Names what runs now. */
  public void begin(String name) {
    what = name;
  }

  void stage(String stage, int round, double jobsPerSecond) {
    StringBuilder line = new StringBuilder(what).append(": ").append(stage);
    if (round > 0) {
      line.append(", round ").append(round);
    }
    if (jobsPerSecond > 0) {
      line.append(String.format(Locale.ROOT, ", %,.0f jobs/s", jobsPerSecond));
    }
    out.print(CLEAR + line);
    out.flush();
  }

  /** Removes the line, so that others can follow. */
  public void end() {
    out.print(CLEAR);
    out.flush();
  }
}

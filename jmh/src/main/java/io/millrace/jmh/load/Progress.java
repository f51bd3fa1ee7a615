package io.millrace.jmh.load;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/** The progress of a run, on a line of a terminal that is drawn again and again; or nowhere. */
public final class Progress {

  private static final String CLEAR = "\r" + " ".repeat(78) + "\r";

  private final Optional<PrintWriter> terminal;
  private String what = "";

  private Progress(Optional<PrintWriter> terminal) {
    this.terminal = terminal;
  }

  /** Returns progress that is drawn on a terminal. */
  public static Progress on(PrintWriter terminal) {
    return new Progress(Optional.of(terminal));
  }

  /** Returns progress that is not drawn: it would only clutter a file or a program's input. */
  public static Progress unseen() {
    return new Progress(Optional.empty());
  }

  /** Sets the name of what runs now. */
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
    draw(CLEAR + line);
  }

  /** Removes the line, so that others can follow. */
  public void end() {
    draw(CLEAR);
  }

  private void draw(String text) {
    terminal.ifPresent(
        out -> {
          out.print(text);
          out.flush();
        });
  }
}

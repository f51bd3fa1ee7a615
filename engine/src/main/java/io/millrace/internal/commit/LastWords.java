package io.millrace.internal.commit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.PrintStream;

/**
 * The messages on standard error for what cannot be logged, as for want of memory. They are made
 * ready before they are needed.
 */
public enum LastWords {
  POISONED(
      "millrace: an engine takes no changes after an error that could not be logged; it tries to"
          + " open its store again"),
  ENDED(
      "millrace: the commit thread of an engine has ended after an error; it takes no calls, end"
          + " the process or open the store again"),
  LEFT_OPEN(
      "millrace: an engine could not be closed at the JVM's shutdown, which ends without it, as in"
          + " a crash");

  private final byte[] line;

  LastWords(String line) {
    this.line = (line + "\n").getBytes(US_ASCII);
  }

  /** Loads this class, so that saying a message later needs no memory. */
  static void prepare() {
    assert POISONED.line.length > 0;
  }

  /** Writes the message to standard error, if possible. */
  public void say() {
    try {
      PrintStream err = System.err;
      err.write(line, 0, line.length);
      err.flush();
    } catch (Throwable e) {
      return;
    }
  }
}

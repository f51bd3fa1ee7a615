package io.millrace.internal.state;

import java.util.regex.Pattern;

/** The text of a line in the log, as far as users chose it. */
public final class LogText {

  /** The characters that would begin a line of their own, or control a terminal. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

  private LogText() {}

  /** Returns the text with a question mark for each character that may not be in a line. */
  public static String oneLine(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }
}

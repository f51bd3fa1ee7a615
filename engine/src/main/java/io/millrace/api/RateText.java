package io.millrace.api;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of a rate limit: {@code 100/PT1S burst 10}. Without a burst it is 1. */
final class RateText {

  static final String ALLOWED =
      "a number of starts, a duration and perhaps a burst, such as \"100/PT1S\" or \"100/PT1S burst"
          + " 10\", or none";

  private static final Pattern FORM = Pattern.compile("(\\d+)/(\\S+)(?:\\s+burst\\s+(\\d+))?");

  private RateText() {}

  /**
   * Parses a limit from its text.
   *
   * @throws IllegalArgumentException the text describes no limit; the message says why
   */
  static RateLimit limit(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw new IllegalArgumentException("not of the form count/duration burst n: " + text);
    }
    String burst = form.group(3);
    return new RateLimit(
        Integer.parseInt(form.group(1)),
        duration(form.group(2)),
        burst == null ? 1 : Integer.parseInt(burst));
  }

  static String of(RateLimit limit) {
    return limit.count() + "/" + limit.per() + " burst " + limit.burst();
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("not a duration: " + text, e);
    }
  }
}

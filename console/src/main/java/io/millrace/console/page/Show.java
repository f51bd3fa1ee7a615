package io.millrace.console.page;

import io.millrace.console.text.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Values as the pages show them. */
public final class Show {

  private static final int LINE_LENGTH_MAX = 160;
  private static final double US_PER_MS = 1_000.0;

  private Show() {}

  public static String count(long count) {
    return Amounts.count(count);
  }

  public static String bytes(long bytes) {
    return Amounts.bytes(bytes);
  }

  public static String duration(Duration duration) {
    return Amounts.duration(duration);
  }

  /** Returns an instant to the second. */
  public static String instant(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ').replace("Z", "");
  }

  /** Returns how long ago an instant was, or in how long it will be. */
  public static String relative(Instant now, Instant instant) {
    Duration ago = Duration.between(instant, now).truncatedTo(ChronoUnit.SECONDS);
    return ago.isNegative()
        ? "in " + Amounts.duration(ago.negated())
        : Amounts.duration(ago) + " ago";
  }

  /** Returns nanoseconds as milliseconds. */
  public static String ms(long ns) {
    return String.format(Locale.ROOT, "%.2f ms", ns / US_PER_MS / US_PER_MS);
  }

  /** Returns a part of one in percent. */
  public static String percent(double part) {
    return Math.round(part * 100) + " %";
  }

  public static String word(Enum<?> constant) {
    return word(constant.name());
  }

  /** Returns the name of a result as words. */
  public static String word(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns a constant as a heading. */
  public static String title(Enum<?> constant) {
    return constant.name().charAt(0) + word(constant).substring(1);
  }

  /** Returns the beginning of a text, in one line. */
  public static String line(Optional<String> text) {
    return line(text.orElse(""));
  }

  /** Returns the beginning of a text, in one line. */
  public static String line(String text) {
    String one = text.lines().findFirst().orElse("");
    if (one.length() <= LINE_LENGTH_MAX) {
      return one;
    }
    boolean isWithin = Character.isHighSurrogate(one.charAt(LINE_LENGTH_MAX - 1));
    return one.substring(0, isWithin ? LINE_LENGTH_MAX - 1 : LINE_LENGTH_MAX) + "…";
  }

  /** Returns the beginning of a text, with what is missing at its end. */
  public static String cut(String text, int lengthMax) {
    if (text.length() <= lengthMax) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
    String missing = Amounts.count(text.length() - end, "character");
    return text.substring(0, end) + "\n(" + missing + " more)";
  }
}

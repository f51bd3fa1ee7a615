package io.millrace.console.text;

import java.time.Duration;
import java.util.Locale;

/** Counts, sizes and times as people read them, the same in every locale. */
public final class Amounts {

  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Amounts() {}

  /** Returns a count such as {@code 1,234,567}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns the count and its noun, which takes an s unless there is just one. */
  public static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** Returns a size such as {@code 12.3 MB}, in steps of a thousand. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.95 && unit < BYTE_UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
  }

  /**
   * Returns a duration in two units at most: {@code 0.42 s}, {@code 12 s}, {@code 3 min 5 s},
   * {@code 2 h 10 min}, {@code 4 d 7 h}.
   */
  public static String duration(Duration duration) {
    if (duration.isNegative()) {
      return "-" + duration(duration.negated());
    }
    if (duration.compareTo(Duration.ofSeconds(10)) < 0) {
      return duration.toMillis() % 1000 == 0
          ? duration.toSeconds() + " s"
          : String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
    }
    if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return duration.toSeconds() + " s";
    }
    if (duration.compareTo(Duration.ofHours(1)) < 0) {
      return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
    }
    if (duration.compareTo(Duration.ofDays(1)) < 0) {
      return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
    }
    return two(duration.toDays(), "d", duration.toHoursPart(), "h");
  }

  private static String two(long large, String largeUnit, int small, String smallUnit) {
    return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}

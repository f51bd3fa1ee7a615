package io.millrace.worker;

import java.util.List;
import java.util.Locale;

/**
 * A field of a cron expression: the values it may have, and how a text names some of them.
 *
 * <pre>
 *  field := part ("," part)*
 *  part  := ("*" | "?" | value | value "-" value) ("/" step)?
 * </pre>
 *
 * A single value with a step stands for the range from it to the field's last value.
 */
enum CronField {
  SECOND("second", 0, 59, List.of()),
  MINUTE("minute", 0, 59, List.of()),
  HOUR("hour", 0, 23, List.of()),
  DAY("day of month", 1, 31, List.of()),
  MONTH(
      "month",
      1,
      12,
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
  WEEKDAY("day of week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

  private static final int SUNDAY = 7;

  private final String label;
  private final int least;
  private final int most;
  private final List<String> names;

  CronField(String label, int least, int most, List<String> names) {
    this.label = label;
    this.least = least;
    this.most = most;
    this.names = names;
  }

  /**
   * Returns the values that the text names, one bit each. Of weekdays, Sunday is 0 and there is no
   * 7.
   *
   * @param word the field, with its place in the expression
   */
  long parse(CronWord word) {
    long values = 0;
    for (CronWord part : word.split(',')) {
      values |= part(part);
    }
    return values;
  }

  /** Returns the values that one part of the field names. */
  long part(CronWord part) {
    long values = parsePart(part);
    boolean isSunday = this == WEEKDAY && (values & 1L << SUNDAY) != 0;
    return isSunday ? values & ~(1L << SUNDAY) | 1 : values;
  }

  private long parsePart(CronWord part) {
    List<CronWord> halves = part.split('/');
    if (halves.size() > 2) {
      throw halves.get(2).flaw(label + " has one step");
    }
    CronWord range = halves.get(0);
    boolean hasStep = halves.size() == 2;
    int step = hasStep ? step(halves.get(1)) : 1;
    if (range.is("*") || range.is("?")) {
      return bits(least, this == WEEKDAY ? most - 1 : most, step);
    }
    List<CronWord> ends = range.split('-');
    if (ends.size() > 2) {
      throw ends.get(2).flaw("a range has two ends");
    }
    int first = value(ends.get(0));
    int last = ends.size() == 2 ? last(ends.get(1)) : hasStep ? most : first;
    if (first > last) {
      throw range.flaw(
          "a range goes up: write it as two, such as %s-%s,%s-%s"
              .formatted(ends.get(0).text(), most, least, ends.get(1).text()));
    }
    return bits(first, last, step);
  }

  /** Reads the upper end of a range. Sunday by its name is 7 there, as the end of a week. */
  private int last(CronWord word) {
    int value = value(word);
    return this == WEEKDAY && value == 0 && !word.is("0") ? SUNDAY : value;
  }

  private int value(CronWord word) {
    int name = names.indexOf(word.text().toUpperCase(Locale.ROOT));
    if (name >= 0) {
      return least + name;
    }
    int value = word.number();
    if (value < least || value > most) {
      throw word.flaw(label + " is " + allowed());
    }
    return value;
  }

  private String allowed() {
    String numbers = "a number from " + least + " to " + most;
    String named = names.isEmpty() ? "" : ", or a name such as " + names.get(1);
    return numbers + named + (this == DAY ? ", or L for the last" : "");
  }

  /**
   * Reads a step. One beyond the field is refused: it looks like a step, but would have no effect.
   */
  private int step(CronWord word) {
    int stepMost = most - least;
    int step = word.number();
    if (step < 1 || step > stepMost) {
      throw word.flaw(
          "a step of the %s is a number from 1 to %s; for longer ones use Schedule.every"
              .formatted(label, stepMost));
    }
    return step;
  }

  private static long bits(int first, int last, int step) {
    long bits = 0;
    for (int value = first; value <= last; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }
}

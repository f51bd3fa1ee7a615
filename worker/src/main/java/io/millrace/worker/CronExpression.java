package io.millrace.worker;

import io.millrace.options.Checks;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The local times that a cron expression names. Immutable; knows nothing of zones.
 *
 * <p>There are five fields: minute, hour, day of month, month, day of week; or six, with seconds
 * before them. If both day fields say something other than {@code *}, a day that fits either of
 * them is named.
 */
final class CronExpression {

  /** The longest expression, in bytes of UTF-8. */
  static final int BYTES_MAX = 255;

  private static final Map<String, String> NICKNAMES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  private static final int FIELDS_LEAST = 5;
  private static final int FIELDS_MOST = 6;
  private static final int HOUR_SECONDS = 3_600;
  private static final int MINUTE_SECONDS = 60;
  private static final int NONE = -1;
  private static final long ALL_HOURS = (1L << 24) - 1;

  /** The years after which the calendar repeats itself, weekdays included. */
  private static final int CALENDAR_YEARS = 400;

  private static final LocalDate SOME_DAY = LocalDate.of(2000, 1, 1);

  private final String text;
  private final long seconds;
  private final long minutes;
  private final long hours;
  private final long months;
  private final CronDays days;

  private CronExpression(String text, List<CronWord> fields) {
    this.text = text;
    int first = fields.size() - FIELDS_LEAST;
    this.seconds = first == 0 ? 1 : CronField.SECOND.parse(fields.get(0));
    this.minutes = CronField.MINUTE.parse(fields.get(first));
    this.hours = CronField.HOUR.parse(fields.get(first + 1));
    this.months = CronField.MONTH.parse(fields.get(first + 3));
    this.days = new CronDays(fields.get(first + 2), fields.get(first + 4));
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException the text is no expression, and at which character; or it names
   *     times that never come
   */
  static CronExpression parse(String text) {
    Checks.text("expression", text, 1, BYTES_MAX);
    String nickname = text.strip().toLowerCase(Locale.ROOT);
    String meant = NICKNAMES.getOrDefault(nickname, text);
    if (nickname.startsWith("@") && meant.equals(text)) {
      throw CronWord.flaw(
          text,
          text.indexOf('@'),
          text.strip(),
          "known are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly");
    }
    List<CronWord> fields = CronWord.fields(meant);
    if (fields.size() < FIELDS_LEAST) {
      throw CronWord.flaw(text, text.length(), "", "fields are missing: " + fieldsAre(fields));
    }
    if (fields.size() > FIELDS_MOST) {
      throw fields.get(FIELDS_MOST).flaw("there are too many fields: " + fieldsAre(fields));
    }
    CronExpression expression = new CronExpression(text, fields);
    if (expression.nextDay(SOME_DAY) == null) {
      CronWord day = fields.get(fields.size() - 3);
      throw day.flaw("this day never comes in such a month: choose one that does, or L");
    }
    return expression;
  }

  private static String fieldsAre(List<CronWord> fields) {
    return ("there are %s of minute, hour, day of month, month and day of week,"
            + " with seconds first if six")
        .formatted(fields.size());
  }

  /** Tells whether every hour of a day has times that are named. */
  boolean isOfEveryHour() {
    return hours == ALL_HOURS;
  }

  /**
   * Returns the first named time at or after the given one, which is a whole second; null if none
   * comes.
   */
  @Nullable LocalDateTime nextFrom(LocalDateTime from) {
    LocalDate day = from.toLocalDate();
    if (isNamed(day)) {
      int time = nextTime(from.toLocalTime().toSecondOfDay());
      if (time != NONE) {
        return day.atTime(LocalTime.ofSecondOfDay(time));
      }
    }
    LocalDate next = nextDay(day.plusDays(1));
    return next == null ? null : next.atTime(LocalTime.ofSecondOfDay(nextTime(0)));
  }

  /**
   * Returns the first named second of a day at or after the given one; {@link #NONE} if there is
   * none.
   */
  private int nextTime(int second) {
    int hour = second / HOUR_SECONDS;
    int minute = second / MINUTE_SECONDS % MINUTE_SECONDS;
    if (isIn(hours, hour)) {
      int rest = next(seconds, second % MINUTE_SECONDS);
      if (isIn(minutes, minute) && rest < MINUTE_SECONDS) {
        return time(hour, minute, rest);
      }
      int later = next(minutes, minute + 1);
      if (later < MINUTE_SECONDS) {
        return time(hour, later, next(seconds, 0));
      }
    }
    int later = next(hours, hour + 1);
    return later < Long.SIZE ? time(later, next(minutes, 0), next(seconds, 0)) : NONE;
  }

  private static int time(int hour, int minute, int second) {
    return hour * HOUR_SECONDS + minute * MINUTE_SECONDS + second;
  }

  private @Nullable LocalDate nextDay(LocalDate from) {
    LocalDate end = from.plusYears(CALENDAR_YEARS);
    LocalDate day = from;
    while (day.isBefore(end)) {
      if (!isIn(months, day.getMonthValue())) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else if (isNamed(day)) {
        return day;
      } else {
        day = day.plusDays(1);
      }
    }
    return null;
  }

  private boolean isNamed(LocalDate day) {
    return isIn(months, day.getMonthValue()) && days.isNamed(day);
  }

  private static boolean isIn(long values, int value) {
    return (values & 1L << value) != 0;
  }

  /** Returns the least value at or above the given one; 64 if there is none. */
  private static int next(long values, int from) {
    return Long.numberOfTrailingZeros(values & -1L << from);
  }

  /** Tells whether the other was read from the same text. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CronExpression it && it.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the text as it was given. */
  @Override
  public String toString() {
    return text;
  }
}

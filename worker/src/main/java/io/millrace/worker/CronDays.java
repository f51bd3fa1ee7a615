package io.millrace.worker;

import java.time.LocalDate;
import java.util.List;

/**
 * The days that two fields of a cron expression name, the day of month and the day of week,
 * whatever the month. Immutable. In addition to what {@link CronField} reads, there are days that
 * depend on the month:
 *
 * <pre>
 *  day of month := last | last "W" | value "W"    last := "L" | "L-" days
 *  day of week  := value "#" nth | value "L"
 * </pre>
 *
 * {@code W} is the day from Monday to Friday that is nearest to the day before the letter, in the
 * same month. A month without that day has no nearest one either.
 */
final class CronDays {

  private static final int MONTH_DAYS = 31;
  private static final int WEEK_DAYS = 7;
  private static final int WORK_DAYS = 5;
  private static final int NTH_MOST = 5;

  /** The bit of a month's last day. Bit {@code LAST_DAY + n} is the day n days before the last. */
  private static final int LAST_DAY = 32;

  /**
   * The number that stands for the last such weekday of a month, whether the fourth or the fifth.
   */
  private static final int LAST_OF_MONTH = NTH_MOST + 1;

  /**
   * Bits of the named days of the month; from {@link #LAST_DAY} on, of days counted from its end.
   */
  private final long days;

  /** Bits, laid out as in {@link #days}, of the days whose nearest working day is named. */
  private final long nearest;

  /** Bits of the days of the week, 0 for Sunday; above them, seven bits for each nth of a month. */
  private final long weekdays;

  private final boolean isEither;

  CronDays(CronWord dayField, CronWord weekdayField) {
    long named = 0;
    long near = 0;
    for (CronWord part : dayField.split(',')) {
      if (part.endsWith("W")) {
        near |= dayBeforeW(part.withoutEnd("W"));
      } else {
        named |= part.beginsWith("L") ? lastDay(part) : CronField.DAY.part(part);
      }
    }
    this.days = named;
    this.nearest = near;
    long ofWeek = 0;
    for (CronWord part : weekdayField.split(',')) {
      ofWeek |= weekday(part);
    }
    this.weekdays = ofWeek;
    this.isEither = !isOpen(dayField) && !isOpen(weekdayField);
  }

  private static boolean isOpen(CronWord field) {
    return field.beginsWith("*") || field.beginsWith("?");
  }

  private static long lastDay(CronWord word) {
    List<CronWord> parts = word.split('-');
    if (!parts.get(0).is("L") || parts.size() > 2) {
      throw word.flaw("the last day of the month is L, and L-3 is three days before it");
    }
    if (parts.size() == 1) {
      return 1L << LAST_DAY;
    }
    int before = parts.get(1).number();
    if (before < 1 || before >= MONTH_DAYS) {
      throw parts.get(1).flaw("before the last day of a month are from 1 to 30 days");
    }
    return 1L << LAST_DAY + before;
  }

  private static long dayBeforeW(CronWord day) {
    if (day.beginsWith("L")) {
      return lastDay(day);
    }
    if (!day.isOne()) {
      throw day.flaw("W stands behind one day, such as 15W, or behind L");
    }
    return CronField.DAY.part(day);
  }

  private static long weekday(CronWord word) {
    List<CronWord> parts = word.split('#');
    if (parts.size() == 1 && !word.endsWith("L")) {
      return CronField.WEEKDAY.part(word);
    }
    CronWord day = parts.size() == 1 ? word.withoutEnd("L") : parts.get(0);
    if (!day.isOne()) {
      throw day.flaw("# and L stand behind one day, such as MON#2 and FRIL");
    }
    int nth = parts.size() == 1 ? LAST_OF_MONTH : parts.get(1).number();
    if (parts.size() > 2 || parts.size() == 2 && (nth < 1 || nth > NTH_MOST)) {
      throw word.flaw("a month has from 1 to 5 of each day of week: MON#1 to MON#5, or MONL");
    }
    return CronField.WEEKDAY.part(day) << WEEK_DAYS * nth;
  }

  boolean isNamed(LocalDate day) {
    boolean isDay = isIn(days, day) || nearest != 0 && isNearest(day);
    boolean isWeekday = isOfWeek(day);
    return isEither ? isDay || isWeekday : isDay && isWeekday;
  }

  private static boolean isIn(long named, LocalDate day) {
    int before = day.lengthOfMonth() - day.getDayOfMonth();
    return (named & (1L << day.getDayOfMonth() | 1L << LAST_DAY + before)) != 0;
  }

  /**
   * Tells whether the day is the working day nearest to a named one. Such a day is at most two days
   * away from the named one, as for Saturday the 1st or a Sunday at the end of a month.
   */
  private boolean isNearest(LocalDate day) {
    for (int away = -2; away <= 2; away++) {
      LocalDate named = day.plusDays(away);
      if (named.getMonthValue() == day.getMonthValue()
          && isIn(nearest, named)
          && nearestTo(named).equals(day)) {
        return true;
      }
    }
    return false;
  }

  private static LocalDate nearestTo(LocalDate day) {
    int weekday = day.getDayOfWeek().getValue();
    if (weekday <= WORK_DAYS) {
      return day;
    }
    boolean isBehind = weekday == WEEK_DAYS;
    LocalDate near = day.plusDays(isBehind ? 1 : -1);
    boolean isInMonth = near.getMonthValue() == day.getMonthValue();
    return isInMonth ? near : day.plusDays(isBehind ? -2 : 2);
  }

  private boolean isOfWeek(LocalDate day) {
    int weekday = day.getDayOfWeek().getValue() % WEEK_DAYS;
    int nth = (day.getDayOfMonth() - 1) / WEEK_DAYS + 1;
    boolean isLast = day.getDayOfMonth() + WEEK_DAYS > day.lengthOfMonth();
    long any = 1L | 1L << WEEK_DAYS * nth | (isLast ? 1L << WEEK_DAYS * LAST_OF_MONTH : 0);
    return (weekdays & any << weekday) != 0;
  }
}

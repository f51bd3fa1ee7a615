package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CronDaysTest {

  /** Has each length of a month, beginning on each day of the week. */
  private static final LocalDate FIRST_DAY = LocalDate.of(2000, 1, 1);

  private static final LocalDate LAST_DAY = LocalDate.of(2028, 12, 31);
  private static final List<String> NAMES =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

  @Tag("slow")
  @Test
  void nextFrom_allDaysThatDependOnTheMonth_areThoseThatEachDayIsAskedFor() {
    List<LocalDate> calendar = FIRST_DAY.datesUntil(LAST_DAY.plusDays(1)).toList();
    sayings()
        .forEach(
            (days, isNamed) -> {
              List<LocalDate> expected = calendar.stream().filter(isNamed).toList();
              CronExpression expression = CronExpression.parse("0 0 " + days);

              assertThat(named(expression, expected.size())).as(days).isEqualTo(expected);
            });
  }

  private static List<LocalDate> named(CronExpression expression, int count) {
    List<LocalDate> found = new ArrayList<>();
    LocalDateTime from = FIRST_DAY.atStartOfDay();
    for (int i = 0; i < count; i++) {
      from = Objects.requireNonNull(expression.nextFrom(from));
      found.add(from.toLocalDate());
      from = from.plusDays(1);
    }
    return found;
  }

  /** Expressions, and the same said of each day. */
  private static Map<String, Predicate<LocalDate>> sayings() {
    Map<String, Predicate<LocalDate>> sayings = new LinkedHashMap<>();
    sayings.put("L * *", day -> fromEnd(day) == 0);
    sayings.put("LW * *", day -> isNearest(day, day.lengthOfMonth()));
    for (int i = 1; i <= 31; i++) {
      int number = i;
      sayings.put(i + "W * *", day -> isNearest(day, number));
    }
    for (int i = 1; i <= 30; i++) {
      int number = i;
      sayings.put("L-" + i + " * *", day -> fromEnd(day) == number);
      sayings.put("L-" + i + "W * *", day -> isNearest(day, day.lengthOfMonth() - number));
    }
    for (int i = 0; i <= 7; i++) {
      int weekday = (i + 6) % 7 + 1; // as ISO has it: Sunday is the seventh
      sayings.put("* * " + i + "L", day -> isDay(day, weekday) && fromEnd(day) < 7);
      sayings.put("? * " + NAMES.get(i) + "L", day -> isDay(day, weekday) && fromEnd(day) < 7);
      for (int j = 1; j <= 5; j++) {
        int nth = j;
        sayings.put("* * " + i + "#" + j, day -> isDay(day, weekday) && nth(day) == nth);
      }
    }
    return sayings;
  }

  private static int fromEnd(LocalDate day) {
    return day.lengthOfMonth() - day.getDayOfMonth();
  }

  private static boolean isDay(LocalDate day, int weekday) {
    return day.getDayOfWeek() == DayOfWeek.of(weekday);
  }

  /** How many days of its name the month has had with it. */
  private static int nth(LocalDate day) {
    return (int)
        IntStream.range(0, 5)
            .filter(weeks -> day.minusWeeks(weeks).getMonth() == day.getMonth())
            .count();
  }

  /** Of all days of the month that are from Monday to Friday it has the least between. */
  private static boolean isNearest(LocalDate day, int number) {
    return number >= 1
        && number <= day.lengthOfMonth()
        && Math.abs(day.getDayOfMonth() - number) <= 2
        && IntStream.rangeClosed(1, day.lengthOfMonth())
            .mapToObj(day::withDayOfMonth)
            .filter(each -> each.getDayOfWeek().getValue() <= 5)
            .min(Comparator.comparing(each -> Math.abs(each.getDayOfMonth() - number)))
            .orElseThrow()
            .equals(day);
  }
}

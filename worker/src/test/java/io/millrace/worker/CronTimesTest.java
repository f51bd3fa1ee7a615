package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@InProcess("no queues")
class CronTimesTest {

  private static final LocalDate FIRST_DAY = LocalDate.of(2000, 1, 1);
  private static final LocalDate LAST_DAY = LocalDate.of(2050, 1, 1);
  private static final int DAY_MINUTES = 24 * 60;

  /** An expression, and the same said in another way. */
  private record Named(String expression, Predicate<LocalDate> days, IntPredicate minutes) {

    boolean isOfEveryHour() {
      return IntStream.range(0, 24)
          .allMatch(hour -> IntStream.range(0, 60).anyMatch(m -> minutes.test(hour * 60 + m)));
    }
  }

  private static final List<Named> NAMED =
      List.of(
          new Named("30 2 * * *", day -> true, minute -> minute == 150),
          new Named("0 0 * * *", day -> true, minute -> minute == 0),
          new Named(
              "*/30 * * * 0",
              day -> day.getDayOfWeek().getValue() == 7,
              minute -> minute % 30 == 0),
          new Named(
              "15 * * * SAT-SUN",
              day -> day.getDayOfWeek().getValue() >= 6,
              minute -> minute % 60 == 15),
          new Named("0 */6 * * *", day -> true, minute -> minute % 360 == 0),
          new Named(
              "*/15 1-3 * * 0",
              day -> day.getDayOfWeek().getValue() == 7,
              minute -> minute >= 60 && minute < 240 && minute % 15 == 0),
          new Named(
              "45 1 L * *", day -> day.plusDays(1).getDayOfMonth() == 1, minute -> minute == 105),
          new Named(
              "59 23 29 2 *",
              day -> day.getMonthValue() == 2 && day.getDayOfMonth() == 29,
              minute -> minute == DAY_MINUTES - 1),
          new Named(
              "30 2 * * SUNL",
              day -> day.getDayOfWeek().getValue() == 7 && !isInMonth(day, day.plusWeeks(1)),
              minute -> minute == 150),
          new Named(
              "*/10 * ? * SUN#5",
              day -> day.getDayOfWeek().getValue() == 7 && isInMonth(day, day.minusWeeks(4)),
              minute -> minute % 10 == 0),
          new Named(
              "0 0 * * 6#1",
              day -> day.getDayOfWeek().getValue() == 6 && !isInMonth(day, day.minusWeeks(1)),
              minute -> minute == 0),
          new Named(
              "0 12 13 * 5",
              day -> day.getDayOfMonth() == 13 || day.getDayOfWeek().getValue() == 5,
              minute -> minute == 720));

  private static boolean isInMonth(LocalDate day, LocalDate other) {
    return day.getMonth() == other.getMonth();
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Sao_Paulo",
        "America/Havana",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "Africa/Casablanca",
        "Pacific/Apia"
      })
  void nextMs_halfACentury_isAsTheNaiveReference(String zone) {
    ZoneId id = ZoneId.of(zone);
    for (Named named : NAMED) {
      TreeSet<Instant> expected = naive(named, id);

      assertThat(found(named.expression(), id, expected.first(), expected.last()))
          .as(named.expression())
          .isEqualTo(new ArrayList<>(expected));
    }
  }

  /** Every minute of every day is looked at, and the zone is asked about it. */
  private static TreeSet<Instant> naive(Named named, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    boolean isOfEveryHour = named.isOfEveryHour();
    int[] minutes = IntStream.range(0, DAY_MINUTES).filter(named.minutes()).toArray();
    TreeSet<Instant> instants = new TreeSet<>();
    for (LocalDate day = FIRST_DAY; day.isBefore(LAST_DAY); day = day.plusDays(1)) {
      if (named.days().test(day)) {
        for (int minute : minutes) {
          add(instants, day.atTime(LocalTime.ofSecondOfDay(minute * 60L)), rules, isOfEveryHour);
        }
      }
    }
    return instants;
  }

  private static void add(
      TreeSet<Instant> instants, LocalDateTime local, ZoneRules rules, boolean isOfEveryHour) {
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.isEmpty()) {
      if (!isOfEveryHour) {
        instants.add(rules.getTransition(local).getInstant());
      }
    } else if (isOfEveryHour) {
      offsets.forEach(offset -> instants.add(local.toInstant(offset)));
    } else {
      instants.add(local.toInstant(offsets.get(0)));
    }
  }

  private static List<Instant> found(String expression, ZoneId zone, Instant first, Instant last) {
    CronTimes times = new CronTimes(CronExpression.parse(expression), zone);
    List<Instant> instants = new ArrayList<>();
    long at = first.toEpochMilli() - 1;
    while (at < last.toEpochMilli()) {
      at = times.nextMs(at);
      instants.add(Instant.ofEpochMilli(at));
    }
    return instants;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          30 2 * * *;  Europe/Berlin;      2026-03-28T12:00Z; 03-29T01:00Z 03-30T00:30Z
          */30 2 * * *;Europe/Berlin;      2026-03-29T00:00Z; 03-29T01:00Z 03-30T00:00Z
          0 * * * *;   Europe/Berlin;      2026-03-28T23:30Z; 03-29T00:00Z 03-29T01:00Z 03-29T02:00Z
          30 * * * *;  Europe/Berlin;      2026-03-29T00:00Z; 03-29T00:30Z 03-29T01:30Z
          30 2 * * *;  Europe/Berlin;      2026-10-24T12:00Z; 10-25T00:30Z 10-26T01:30Z
          0 * * * *;   Europe/Berlin;      2026-10-24T23:30Z; 10-25T00:00Z 10-25T01:00Z 10-25T02:00Z
          */20 2 * * *;Europe/Berlin;      2026-10-25T00:10Z; 10-25T00:20Z 10-25T00:40Z 10-26T01:00Z
          15 2 * * *;  Australia/Lord_Howe;2026-10-03T12:00Z; 10-03T15:30Z 10-04T15:15Z
          45 1 * * *;  Australia/Lord_Howe;2026-04-04T12:00Z; 04-04T14:45Z 04-05T15:15Z
          0 0 * * *;   America/Sao_Paulo;  2018-11-03T12:00Z; 11-04T03:00Z 11-05T02:00Z
          """)
  void nextMs_clocksArePutForwardOrBack_isAsTheJavadocSays(
      String expression, String zone, String after, String expected) {
    CronTimes times = new CronTimes(CronExpression.parse(expression), ZoneId.of(zone));
    String year = after.substring(0, 5);
    long at = instant(after).toEpochMilli();
    for (String next : expected.split(" ")) {
      at = times.nextMs(at);

      assertThat(Instant.ofEpochMilli(at)).isEqualTo(instant(year + next));
    }
  }

  private static Instant instant(String text) {
    return Instant.parse(text.replace("Z", ":00Z"));
  }

  @Tag("slow")
  @Test
  void nextMs_everyMinuteWhereClocksChange_isEachMinuteOnce() {
    for (String zone : List.of("Europe/Berlin", "Australia/Lord_Howe", "America/Havana")) {
      CronTimes times = new CronTimes(CronExpression.parse("* * * * *"), ZoneId.of(zone));
      long at = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
      for (int i = 0; i < 300 * DAY_MINUTES; i++) {
        long next = times.nextMs(at);

        assertThat(next).isEqualTo(at + 60_000);
        at = next;
      }
    }
  }

  @Test
  void newestMs_manyOfThem_areThoseBeforeTheEnd() {
    CronTimes times = new CronTimes(CronExpression.parse("* * * * * *"), ZoneId.of("UTC"));
    long start = Instant.parse("1990-01-01T00:00:00Z").toEpochMilli();
    long end = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    assertThat(times.newestMs(start, end, 3)).containsExactly(end - 2_000, end - 1_000, end);
    assertThat(times.newestMs(end - 1_000, end, 3)).containsExactly(end);
    assertThat(times.newestMs(end, end + 999, 3)).isEmpty();
    assertThat(times.newestMs(end, end - 1, 3)).isEmpty();
    assertThat(new PeriodTimes(7_000, start).newestMs(start, start + 20_999, 5))
        .containsExactly(start + 7_000, start + 14_000);
  }

  @Test
  void nextMs_periodLongAfterItsBegin_doesNotDrift() {
    PeriodTimes times = new PeriodTimes(1_001, 5);

    assertThat(times.nextMs(-100)).as("a clock that was set back").isEqualTo(5);
    assertThat(times.nextMs(5)).isEqualTo(1_006);
    assertThat(times.nextMs(1_005)).isEqualTo(1_006);
    assertThat(times.nextMs(1_006)).isEqualTo(2_007);
    assertThat(times.nextMs(5 + 1_001_000_000_000L)).isEqualTo(5 + 1_001_000_001_001L);
  }

  /** Where clocks never change, whoever knows cron must agree. */
  @Test
  void nextMs_anyExpressionInUtc_isAsACronLibrarySays() {
    Random random = new Random(20);
    CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
    for (int i = 0; i < 300; i++) {
      String expression = RandomCron.next(random);
      ExecutionTime other = ExecutionTime.forCron(parser.parse(expression));
      CronTimes times = new CronTimes(CronExpression.parse(expression), ZoneOffset.UTC);
      ZonedDateTime at =
          FIRST_DAY.plusDays(random.nextInt(10_000)).atTime(17, 23, 5).atZone(ZoneOffset.UTC);
      List<Instant> expected =
          Stream.iterate(at, it -> other.nextExecution(it).orElseThrow())
              .skip(1)
              .limit(8)
              .map(ZonedDateTime::toInstant)
              .toList();
      long from = at.toInstant().toEpochMilli();

      assertThat(
              Stream.iterate(from, times::nextMs)
                  .skip(1)
                  .limit(8)
                  .map(Instant::ofEpochMilli)
                  .toList())
          .as(expression)
          .isEqualTo(expected);
    }
  }

  /** By names of days, since Quartz has other numbers for them. */
  @Test
  void nextMs_daysThatDependOnTheMonth_areAsACronLibrarySays() {
    CronParser quartz =
        new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    List<String> days =
        new ArrayList<>(
            List.of("L * ?", "L-1 * ?", "L-9 * ?", "LW * ?", "1W * ?", "15W * ?", "28W * ?"));
    for (String name : List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")) {
      days.add("? * " + name + "L");
      IntStream.rangeClosed(1, 5).forEach(nth -> days.add("? * " + name + "#" + nth));
    }
    for (String each : days) {
      ExecutionTime other = ExecutionTime.forCron(quartz.parse("0 0 0 " + each));
      ZonedDateTime at = FIRST_DAY.minusDays(1).atStartOfDay(ZoneOffset.UTC);
      List<Instant> expected =
          Stream.iterate(at, it -> other.nextExecution(it).orElseThrow())
              .skip(1)
              .limit(15)
              .map(ZonedDateTime::toInstant)
              .toList();
      Instant last = expected.get(expected.size() - 1);

      assertThat(found("0 0 0 " + each, ZoneOffset.UTC, at.toInstant().plusMillis(1), last))
          .as(each)
          .isEqualTo(expected);
    }
  }
}

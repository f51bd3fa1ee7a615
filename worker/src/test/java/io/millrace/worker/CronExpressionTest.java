package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {

  private static final LocalDateTime START = LocalDateTime.of(2026, 1, 1, 0, 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          0 3 * * *;          2026-01-01T03:00 2026-01-02T03:00 2026-01-03T03:00
          */20 9-10 * * *;    2026-01-01T09:00 2026-01-01T09:20 2026-01-01T09:40 2026-01-01T10:00
          5,50 0 * * *;       2026-01-01T00:05 2026-01-01T00:50 2026-01-02T00:05
          0 0 31 * *;         2026-01-31T00:00 2026-03-31T00:00 2026-05-31T00:00
          0 0 L * *;          2026-01-31T00:00 2026-02-28T00:00 2026-03-31T00:00
          0 0 L-1 * *;        2026-01-30T00:00 2026-02-27T00:00 2026-03-30T00:00
          0 0 L-1 2 *;        2026-02-27T00:00 2027-02-27T00:00 2028-02-28T00:00
          0 0 l-30 * *;       2026-01-01T00:00 2026-03-01T00:00 2026-05-01T00:00
          0 0 L,L-2 2 *;      2026-02-26T00:00 2026-02-28T00:00 2027-02-26T00:00
          0 0 15W * *;        2026-01-15T00:00 2026-02-16T00:00 2026-03-16T00:00 2026-04-15T00:00
          0 0 15w 8 *;        2026-08-14T00:00 2027-08-16T00:00 2028-08-15T00:00
          0 0 1W * *;         2026-01-01T00:00 2026-02-02T00:00 2026-03-02T00:00 2026-04-01T00:00
          0 0 1W 8 *;         2026-08-03T00:00 2027-08-02T00:00 2028-08-01T00:00
          0 0 31W 5,6,7 *;    2026-05-29T00:00 2026-07-31T00:00 2027-05-31T00:00
          0 0 29W 2 *;        2028-02-29T00:00 2032-02-27T00:00 2036-02-29T00:00
          0 0 LW * *;         2026-01-30T00:00 2026-02-27T00:00 2026-03-31T00:00
          0 0 LW 2 *;         2026-02-27T00:00 2027-02-26T00:00 2028-02-29T00:00
          0 0 L-3W 2 *;       2026-02-25T00:00 2027-02-25T00:00 2028-02-25T00:00
          0 0 1W,15,LW 2 *;   2026-02-02T00:00 2026-02-15T00:00 2026-02-27T00:00 2027-02-01T00:00
          0 9 * * MON#2;      2026-01-12T09:00 2026-02-09T09:00 2026-03-09T09:00
          0 9 ? * 1#2;        2026-01-12T09:00 2026-02-09T09:00 2026-03-09T09:00
          0 9 * * MON#5;      2026-03-30T09:00 2026-06-29T09:00 2026-08-31T09:00 2026-11-30T09:00
          0 9 * 2 mon#5;      2044-02-29T09:00 2072-02-29T09:00
          0 9 * * 7#1;        2026-01-04T09:00 2026-02-01T09:00
          0 9 * * FRIL;       2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
          0 9 * * 5L;         2026-01-30T09:00 2026-02-27T09:00 2026-03-27T09:00
          0 9 * * 0L;         2026-01-25T09:00 2026-02-22T09:00
          0 9 * * 7L;         2026-01-25T09:00 2026-02-22T09:00
          0 9 * * MON,FRI#1;  2026-01-02T09:00 2026-01-05T09:00 2026-01-12T09:00
          0 0 13 * FRIL;      2026-01-13T00:00 2026-01-30T00:00 2026-02-13T00:00 2026-02-27T00:00
          0 0 LW * MON#1;     2026-01-05T00:00 2026-01-30T00:00 2026-02-02T00:00
          0 0 29 2 *;         2028-02-29T00:00 2032-02-29T00:00
          0 0 29 FEB *;       2028-02-29T00:00 2032-02-29T00:00
          0 0 13 * 5;         2026-01-02T00:00 2026-01-09T00:00 2026-01-13T00:00
          0 0 */30 * FRI;     2026-05-01T00:00 2026-07-31T00:00 2027-01-01T00:00
          0 0 ? * mon-fri;    2026-01-01T00:00 2026-01-02T00:00 2026-01-05T00:00
          0 0 * * 0;          2026-01-04T00:00 2026-01-11T00:00
          0 0 * * 7;          2026-01-04T00:00 2026-01-11T00:00
          0 0 * * SAT-SUN;    2026-01-03T00:00 2026-01-04T00:00 2026-01-10T00:00
          0 0 1 10-12/2 *;    2026-10-01T00:00 2026-12-01T00:00
          0 22/1 1 1 *;       2026-01-01T22:00 2026-01-01T23:00 2027-01-01T22:00
          30 15 12 * * *;     2026-01-01T12:15:30 2026-01-02T12:15:30
          */30 59 23 * * *;   2026-01-01T23:59 2026-01-01T23:59:30 2026-01-02T23:59
          @hourly;            2026-01-01T00:00 2026-01-01T01:00
          @weekly;            2026-01-04T00:00 2026-01-11T00:00
          @Monthly;           2026-01-01T00:00 2026-02-01T00:00
          @yearly;            2026-01-01T00:00 2027-01-01T00:00
          """)
  void nextFrom_expression_namesTheseTimes(String expression, String times) {
    List<LocalDateTime> expected = Stream.of(times.split(" ")).map(LocalDateTime::parse).toList();

    assertThat(first(expression, expected.size())).isEqualTo(expected);
  }

  private static List<LocalDateTime> first(String expression, int count) {
    CronExpression parsed = CronExpression.parse(expression);
    List<LocalDateTime> times = new ArrayList<>();
    LocalDateTime from = START;
    while (times.size() < count) {
      LocalDateTime next = Objects.requireNonNull(parsed.nextFrom(from));
      times.add(next);
      from = next.plusSeconds(1);
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          0 25 * * *;      3;  25;     hour is a number from 0 to 23
          60 * * * *;      1;  60;     minute is a number from 0 to 59
          0 3 32 * *;      5;  32;     day of month is a number from 1 to 31, or L for the last
          0 3 * 0 *;       7;  0;      month is a number from 1 to 12, or a name such as FEB
          0 3 * * 8;       9;  8;      day of week is a number from 0 to 7, or a name such as MON
          0 3 * * MON-FRO; 13; FRO;    this is no number and no name that is known here
          0 3 * * L;       9;  L;      something is missing before this
          0 3 W * *;       5;  W;      something is missing before this
          0 3 * * MON#6;   9;  MON#6;  a month has from 1 to 5 of each day of week
          0 3 * * MON#0;   9;  MON#0;  a month has from 1 to 5 of each day of week
          0 3 * * 1#2#3;   9;  1#2#3;  a month has from 1 to 5 of each day of week
          0 3 * * MON#;    13; ``;     something is missing here
          0 3 * * #2;      9;  ``;     something is missing here
          0 3 * * MON#X;   13; X;      this is no number and no name that is known here
          0 3 * * 8#1;     9;  8;      day of week is a number from 0 to 7
          0 3 * * 1-5#2;   9;  1-5;    # and L stand behind one day, such as MON#2 and FRIL
          0 3 * * */2L;    9;  */2;    # and L stand behind one day, such as MON#2 and FRIL
          0 3 * * FROL;    9;  FRO;    this is no number and no name that is known here
          0 3 * * 5W;      9;  5W;     this is no number and no name that is known here
          0 3 L-31 * *;    7;  31;     before the last day of a month are from 1 to 30 days
          0 3 L-0 * *;     7;  0;      before the last day of a month are from 1 to 30 days
          0 3 L- * *;      7;  ``;     something is missing here
          0 3 L-1-2 * *;   5;  L-1-2;  the last day of the month is L, and L-3 is three days
          0 3 L/2 * *;     5;  L/2;    the last day of the month is L, and L-3 is three days
          0 3 LX * *;      5;  LX;     the last day of the month is L, and L-3 is three days
          0 3 32W * *;     5;  32;     day of month is a number from 1 to 31
          0 3 1-5W * *;    5;  1-5;    W stands behind one day, such as 15W, or behind L
          0 3 *W * *;      5;  *;      W stands behind one day, such as 15W, or behind L
          0 3 15WW * *;    5;  15W;    this is no number and no name that is known here
          0 3 * JANL *;    7;  JANL;   this is no number and no name that is known here
          0 3 15#2 * *;    5;  15#2;   this is no number and no name that is known here
          0 0 30W 2 *;     5;  30W;    this day never comes in such a month
          0 0 L-30 4 *;    5;  L-30;   this day never comes in such a month
          1,,2 * * * *;    3;  ``;     something is missing here
          1, * * * *;      3;  ``;     something is missing here
          5-1 * * * *;     1;  5-1;    a range goes up: write it as two, such as 5-59,0-1
          1-2-3 * * * *;   5;  3;      a range has two ends
          */0 * * * *;     3;  0;      a step of the minute is a number from 1 to 59
          */90 * * * *;    3;  90;     for longer ones use Schedule.every
          */2/3 * * * *;   5;  3;      minute has one step
          0 3 * *;         8;  ``;     fields are missing: there are 4 of minute
          0 0 0 1 1 * 99;  13; 99;     there are too many fields: there are 7 of minute
          @dayly;          1;  @dayly; known are @yearly
          0 0 30 2 *;      5;  30;     this day never comes in such a month
          0 0 31 4,6 *;    5;  31;     this day never comes in such a month
          0 0 ٣ * *;       5;  ٣;      this is no number
          -5 * * * *;      1;  ``;     something is missing here
          """)
  void parse_badExpression_isRefusedWithItsPosition(
      String expression, int position, String found, String what) {
    assertThatThrownBy(() -> CronExpression.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "cron expression cannot be read: expression=\"%s\", position=%d, found=\"%s\": "
                .formatted(expression, position, found))
        .hasMessageContaining(what);
  }

  @Test
  void parse_spacesAround_areNothing() {
    assertThat(first("  0\t3  * * *  ", 1)).containsExactly(START.withHour(3));
    assertThatThrownBy(() -> CronExpression.parse("   "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position=4")
        .hasMessageContaining("fields are missing: there are 0");
  }

  @Test
  void parse_tooLong_isRefused() {
    assertThatThrownBy(() -> CronExpression.parse("0 " + "1,".repeat(200) + "2 * * *"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expression has a length out of range");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 * * * *", "0 0-23 * * *", "*/5 */1 * * *"})
  void isOfEveryHour_allHoursNamed_isSo(String expression) {
    assertThat(CronExpression.parse(expression).isOfEveryHour()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"* 2 * * *", "0 */2 * * *", "0 1-23 * * *"})
  void isOfEveryHour_someHoursNamed_isNot(String expression) {
    assertThat(CronExpression.parse(expression).isOfEveryHour()).isFalse();
  }
}

package io.millrace.jmh.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jmh.suite.Ratios.Case;
import io.millrace.jmh.suite.Ratios.Ratio;
import io.millrace.jmh.suite.SideState.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;

class RatiosTest {

  private static final Case RATE = new Case("A.b", Mode.Throughput, Map.of("batch", "1"));
  private static final Case TIME = new Case("A.b", Mode.SampleTime, Map.of("batch", "1"));

  private final Ratios ratios = new Ratios();

  @Test
  void all_ofRates_areTheEnginesOverTheLimits() {
    ratios.add(RATE, Kind.ENGINE, 30);
    ratios.add(RATE, Kind.FLOOR, 120);
    ratios.add(RATE, Kind.RAW, 40);

    assertThat(ratios.all())
        .containsExactly(new Ratio(RATE, OptionalDouble.of(0.75), OptionalDouble.of(0.25)));
  }

  @Test
  void all_ofTimes_areTheLimitsOverTheEngines() {
    ratios.add(TIME, Kind.RAW, 2);
    ratios.add(TIME, Kind.FLOOR, 16);
    ratios.add(TIME, Kind.ENGINE, 8);

    assertThat(ratios.all())
        .containsExactly(new Ratio(TIME, OptionalDouble.of(0.25), OptionalDouble.of(2)));
  }

  @Test
  void all_ofDifferentParameters_areNotMixed() {
    Case other = new Case("A.b", Mode.Throughput, Map.of("batch", "100"));
    ratios.add(RATE, Kind.ENGINE, 30);
    ratios.add(other, Kind.FLOOR, 60);
    ratios.add(other, Kind.ENGINE, 15);
    ratios.add(TIME, Kind.FLOOR, 60);

    assertThat(ratios.all())
        .containsExactly(new Ratio(other, OptionalDouble.empty(), OptionalDouble.of(0.25)));
  }

  @Test
  void print_leavesOutTheLimitThatWasNotRun() {
    ratios.add(RATE, Kind.ENGINE, 1);
    ratios.add(RATE, Kind.FLOOR, 3);

    assertThat(printed()).endsWith("| A.b | thrpt | batch=1 |  | 0.33 |\n");
  }

  @Test
  void print_withoutTheEngine_saysNothing() {
    ratios.add(RATE, Kind.RAW, 1);
    ratios.add(RATE, Kind.FLOOR, 3);

    assertThat(printed()).isEmpty();
  }

  private String printed() {
    StringWriter text = new StringWriter();
    ratios.print(new PrintWriter(text));
    return text.toString().replace("\r\n", "\n");
  }
}

package io.millrace.jmh.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Durability;
import io.millrace.jmh.growth.Curve.Step;
import io.millrace.jmh.load.LoadOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurvesTest {

  private static final List<Curve> ALL =
      Curves.all(
          new Curves.Setting(
              "lmdb",
              Durability.SYNCED,
              new LoadOptions.Timing(Duration.ofSeconds(2), 3, 0),
              Path.of(".")));

  @Test
  void all_curves_haveNamesOfTheirOwnAndRisingAmounts() {
    assertThat(ALL)
        .extracting(Curve::name)
        .containsExactly(
            "waiting",
            "queues",
            "tenants",
            "payload",
            "callers",
            "keys",
            "rows",
            "children",
            "virtual",
            "platform");
    assertThat(ALL)
        .allSatisfy(
            curve ->
                assertThat(curve.steps())
                    .hasSizeGreaterThan(1)
                    .isSortedAccordingTo(Comparator.comparingInt(Step::amount))
                    .extracting(Step::amount)
                    .doesNotHaveDuplicates());
  }

  @Test
  void all_payloads_haveSmallerCallsWhereTheyAreLarge() {
    List<Step> steps = ALL.get(3).steps();

    assertThat(steps)
        .extracting(step -> step.options().callers().batchCount())
        .containsExactly(100, 100, 100, 100, 100, 64, 16, 4, 1);
    assertThat(steps).extracting(step -> step.options().payloadBytes()).startsWith(16, 64);
  }
}

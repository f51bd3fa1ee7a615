package io.millrace.model.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.planted.TestProcess.Outcome;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every planted bug is found by the tests that it names, which are green without it. Leaves the
 * list of docs/record/reliability-record.md in {@code target/planted-bugs.md}.
 */
@Tag("nightly")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsTest {

  private final List<String> lines = new ArrayList<>();
  private int plantedCount;
  private int foundCount;

  @ParameterizedTest
  @MethodSource("bugs")
  void plantedBug_switchedOn_isFoundByItsTests(PlantedBug bug, @TempDir Path scratch)
      throws IOException {
    Path changed = scratch.resolve("changed");
    ChangedClasses.compile(bug.sources(), changed);

    List<Outcome> outcomes = new ArrayList<>();
    for (NamedTest test : bug.caughtBy()) {
      Path own = Files.createDirectory(scratch.resolve("test" + outcomes.size()));
      outcomes.add(TestProcess.run(test, changed, own));
    }

    outcomes.forEach(PlantedBugsTest::requireRun);
    double seconds = outcomes.stream().mapToDouble(Outcome::seconds).sum();
    lines.addAll(bug.lines(String.format(Locale.ROOT, "%.1f s", seconds)));
    plantedCount++;
    for (Outcome outcome : outcomes) {
      assertThat(outcome.verdict()).as(outcome.text()).isEqualTo(OneTest.Verdict.FAILED);
    }
    foundCount++;
  }

  @ParameterizedTest
  @MethodSource("tests")
  void test_noBugSwitchedOn_isGreen(NamedTest test, @TempDir Path scratch) throws IOException {
    Path nothing = scratch.resolve("changed");

    Outcome outcome = TestProcess.run(test, nothing, scratch);

    requireRun(outcome);
    assertThat(outcome.verdict()).as(outcome.text()).isEqualTo(OneTest.Verdict.GREEN);
  }

  /**
   * A test that this machine cannot run says so; with CI=true it fails instead of being skipped.
   */
  private static void requireRun(Outcome outcome) {
    Assumptions.assumeFalse(outcome.verdict() == OneTest.Verdict.SKIPPED, outcome.text());
  }

  @AfterAll
  void writeList() throws IOException {
    Files.write(Path.of("target", "planted-bugs.md"), lines);
    Trials.report(getClass(), plantedCount + " bugs planted, " + foundCount + " found");
  }

  /** All, or those whose names match {@code -Dmillrace.bugs=REGEX}. */
  static List<PlantedBug> bugs() {
    String names = System.getProperty("millrace.bugs", ".*");
    return PlantedBug.all().stream().filter(bug -> bug.name().matches(names)).toList();
  }

  static Stream<NamedTest> tests() {
    return bugs().stream().flatMap(bug -> bug.caughtBy().stream()).distinct();
  }
}

package io.millrace.model.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherFactory;

/** Holds the list of planted bugs to the sources, the tests and the record of today. */
@Tag("slow")
class PlantedBugListTest {

  private static final int BUG_COUNT_LEAST = 25;

  private final List<PlantedBug> bugs = PlantedBug.all();

  @Test
  void everyBug_sourcesOfToday_fitsThem() {
    assertThat(bugs).hasSizeGreaterThanOrEqualTo(BUG_COUNT_LEAST);

    for (PlantedBug bug : bugs) {
      assertThat(bug.sources()).as(bug.name()).isNotEmpty().hasSameSizeAs(bug.changes());
    }
  }

  @Test
  void everyNamedTest_ofToday_isRunByContinuousIntegration() {
    Launcher launcher = LauncherFactory.create();

    List<NamedTest> missing =
        bugs.stream()
            .flatMap(bug -> bug.caughtBy().stream())
            .distinct()
            .filter(test -> !test.isRun(launcher))
            .toList();

    assertThat(missing).as("tests that planted bugs name and nobody runs").isEmpty();
  }

  /** The seconds are those of the last full run; a dash says that the bug was changed since. */
  @Test
  void list_ofTheRecord_hasEveryBugAndItsTests() throws IOException {
    List<String> expected = bugs.stream().flatMap(bug -> bug.lines("–").stream()).toList();

    List<String> listed =
        section("## Planted bugs").stream()
            .filter(line -> line.matches(" *\\* .*"))
            .map(line -> line.replaceFirst("\\(\\d+\\.\\d s\\): ", "(–): "))
            .toList();

    assertThat(listed).isEqualTo(expected);
  }

  private static List<String> section(String title) throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of("..", "docs", "record", "reliability-record.md"));
    return lines.subList(lines.indexOf(title), lines.size());
  }
}

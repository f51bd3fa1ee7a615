package io.millrace.model.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Coverage;
import io.millrace.model.history.StatesTable.Since;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The histories reach every row of docs/STATES.md that there is by now, and no transition that is
 * not in it.
 */
@Tag("thorough")
final class StatesCoverageModelTest {

  private static final Coverage COVERAGE = new Coverage();

  @Property(tries = 900, seed = "20261121", shrinking = ShrinkingMode.OFF)
  void history_anySteps_recordsItsRows(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Op> steps) {
    ShortestFailure.check(
        steps, part -> HistoryModelTest.run(StoreKind.MEMORY, setup, part, COVERAGE));
  }

  @Example
  void statesTable_rows_areUnique() throws IOException {
    StatesTable table = StatesTable.read();

    int distinct = 0;
    for (Since since : Since.values()) {
      distinct += table.rows(since).size();
    }
    assertThat(distinct).isEqualTo(table.size()).isGreaterThan(60);
  }

  @AfterContainer
  static void everyRowIsReachedAndEveryTransitionIsListed() throws IOException {
    StatesTable table = StatesTable.read();
    Set<String> unreached = new TreeSet<>(table.rows(Since.NOW));
    unreached.removeAll(COVERAGE.rows());
    Set<String> unlisted = new TreeSet<>(COVERAGE.rows());
    unlisted.removeAll(table.rows(Since.NOW));

    assertThat(unreached).as("rows of docs/STATES.md that no history reaches").isEmpty();
    assertThat(unlisted).as("transitions that docs/STATES.md does not list").isEmpty();
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Histories.setups();
  }

  @Provide
  Arbitrary<List<Op>> steps() {
    return Histories.stepsOfJobs();
  }
}

package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.ModelTables;
import io.millrace.model.history.TableSteps;
import io.millrace.model.rig.Await;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.fault.Trials;
import org.junit.jupiter.api.Test;

/**
 * Users' tables on a store that fails and loses power as a seed says: each call that was answered
 * holds, each that was not happened whole or not at all, and rows of dropped tables go in the end
 * and are never seen.
 */
class TableCrashModelTest extends FaultyCalls {

  private static final int SEED_COUNT = Trials.count("tableSeeds", 20, 150, 3_000);
  private static final int REAL_SECONDS_MAX = 20;

  private ModelTables model;
  private TableSteps steps;

  @Test
  void calls_storeFailsAndPowerGoes_happenWholeOrNotAtAll() {
    run(SEED_COUNT);
  }

  @Override
  void begin() {
    model = new ModelTables();
    steps = new TableSteps(random);
  }

  @Override
  void call(int number) {
    if (random.nextInt(30) == 0) {
      stop();
    } else {
      change();
    }
  }

  private void change() {
    TableSteps.Change change = steps.next();
    ModelTables after = model.copy();
    String expected = change.model().apply(after);
    try {
      assertThat(change.blocking().apply(harness.engine())).isEqualTo(expected);
      model = after;
    } catch (MillraceException told) {
      withoutFaults(() -> hasHappenedOrNot(after));
    }
  }

  private void hasHappenedOrNot(ModelTables after) {
    String found = TableSteps.all(harness.engine());
    if (!found.equals(TableSteps.all(model))) {
      assertThat(found).isEqualTo(TableSteps.all(after));
      model = after;
    }
  }

  @Override
  void restarted() {
    assertThat(TableSteps.all(harness.engine())).isEqualTo(TableSteps.all(model));
  }

  @Override
  void serveAll() {
    restarted();
    Await.until("rows of dropped tables are removed", this::isTidy, REAL_SECONDS_MAX);
  }

  /** Whether the store has a row for each of the model's, and one for each name, and no others. */
  private boolean isTidy() {
    try (ReadView view = harness.store().read()) {
      int stored =
          view.scan(
              Keyspace.TABLE.start(),
              Keyspace.TABLE.end(),
              Integer.MAX_VALUE,
              (key, value) -> true);
      return stored == model.rowCount() + model.names().size();
    }
  }
}

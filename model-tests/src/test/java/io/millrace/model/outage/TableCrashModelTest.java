package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.ModelTables;
import io.millrace.model.history.TableSteps;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.ReadView;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Users' tables on a store that fails and loses power as a seed says: each call that was answered
 * holds, each that was not happened whole or not at all, and rows of dropped tables go in the end
 * and are never seen.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class TableCrashModelTest {

  private static final int SEED_COUNT = Trials.count("tableSeeds", 20, 300, 3_000);
  private static final int STEP_COUNT = 400;
  private static final int REAL_SECONDS_MAX = 20;
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);

  @TempDir private Path folder;

  private SplittableRandom random;
  private EngineHarness harness;
  private ModelTables model;
  private TableSteps steps;

  @Test
  void calls_storeFailsAndPowerGoes_happenWholeOrNotAtAll() {
    long first = Trials.seedOfChanges();
    for (long seed = first; seed < first + SEED_COUNT; seed++) {
      try {
        run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    Trials.report(getClass(), "%d seeds from %d".formatted(SEED_COUNT, first));
  }

  private void run(long seed) {
    random = new SplittableRandom(seed);
    model = new ModelTables();
    steps = new TableSteps(random);
    try (EngineHarness started =
        new EngineHarness(StoreKind.FAULTY, folder.resolve("store-" + seed), Setup.DEFAULT)) {
      harness = started;
      harness.machine().plan(FaultPlan.random(seed, RATES));
      for (int i = 0; i < STEP_COUNT; i++) {
        if (random.nextInt(30) == 0) {
          stop();
        } else {
          change();
        }
      }
      harness.machine().plan(FaultPlan.none());
      recover();
      assertThat(TableSteps.all(harness.engine())).isEqualTo(TableSteps.all(model));
      Await.until("rows of dropped tables are removed", this::isTidy, REAL_SECONDS_MAX);
      assertThat(harness.engine().verify().problems()).isEmpty();
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
      harness.machine().plan(FaultPlan.none());
      recover();
      String found = TableSteps.all(harness.engine());
      boolean hasHappened = !found.equals(TableSteps.all(model));
      if (hasHappened) {
        assertThat(found).isEqualTo(TableSteps.all(after));
        model = after;
      }
      harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
    }
  }

  private void stop() {
    harness.machine().plan(FaultPlan.none());
    recover();
    switch (random.nextInt(3)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      default -> harness.losePower();
    }
    assertThat(TableSteps.all(harness.engine())).isEqualTo(TableSteps.all(model));
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  private void recover() {
    harness.clock().advanceMs(1_000);
    while (harness.engine().poison().isPresent()) {
      harness.engine().reopen();
    }
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

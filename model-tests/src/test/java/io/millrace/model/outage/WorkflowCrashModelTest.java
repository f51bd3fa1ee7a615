package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.model.crash.Ledger;
import io.millrace.model.crash.Orders;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Durable workflows on a store that fails and loses power as a seed says: each step has its effect
 * once, and each workflow that fails is undone.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class WorkflowCrashModelTest {

  private static final int SEED_COUNT = Trials.count("workflowSeeds", 12, 100, 2_000);
  private static final int STEP_COUNT = 300;
  private static final int OPEN_COUNT_MAX = 30;
  private static final int DAYS_MAX = 1_000;
  private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);
  private static final ClaimOptions NEXT = ClaimOptions.by("worker");

  @TempDir private Path folder;

  private Random random;
  private EngineHarness harness;
  private Ledger ledger;

  @Test
  void workflows_storeFailsAndPowerGoes_eachStepHasItsEffectOnce() {
    long first = Trials.seedOfChanges();
    long count = 0;
    for (long seed = first; seed < first + SEED_COUNT; seed++) {
      try {
        count += run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    assertThat(count).isPositive();
    Trials.report(getClass(), "%d seeds from %d, %d workflows".formatted(SEED_COUNT, first, count));
  }

  private long run(long seed) {
    random = new Random(seed);
    ledger = new Ledger(folder.resolve("ledger-" + seed), new Random(random.nextLong()));
    try (EngineHarness started =
        new EngineHarness(StoreKind.FAULTY, folder.resolve("store-" + seed), Setup.DEFAULT)) {
      harness = started;
      harness.machine().plan(FaultPlan.random(seed, RATES));
      for (int i = 0; i < STEP_COUNT; i++) {
        step();
      }
      recover();
      return finish();
    }
  }

  private Orders orders() {
    return new Orders(harness.engine(), ledger);
  }

  private void step() {
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3 -> {
          if (orders().openCount() < OPEN_COUNT_MAX) {
            orders().issue(random);
          }
        }
        case 4, 5, 6 -> orders().answerNext();
        case 7, 8 -> harness.clock().advanceMs(DAY_MS);
        case 9 -> stop();
        default -> orders().workNext(NEXT);
      }
    } catch (MillraceException told) {
      recover();
      harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
    }
  }

  private void stop() {
    recover();
    switch (random.nextInt(3)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      default -> harness.losePower();
    }
    assertThat(orders().flaws()).isEmpty();
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  private void recover() {
    harness.machine().plan(FaultPlan.none());
    harness.recover();
  }

  /** Lets all that is left come to its end; how many orders there were. */
  private long finish() {
    Orders orders = orders();
    for (int day = 0; day < DAYS_MAX && orders.openCount() > 0; day++) {
      while (orders.workNext(NEXT) | orders.answerNext()) {
        // Until nothing is to be done before another day.
      }
      harness.clock().advanceMs(DAY_MS);
      harness.poke();
    }
    while (orders.answerNext()) {
      // Of orders that are done.
    }
    assertThat(orders.flawsAtTheEnd()).isEmpty();
    return orders.issuedCount();
  }
}

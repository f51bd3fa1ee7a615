package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.model.crash.Reports;
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
 * Workflows that have many jobs do a step, on a store that fails and loses power as a seed says:
 * each job has its effect once, and each workflow gets the results in their order.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class FanInCrashModelTest {

  private static final int SEED_COUNT = Trials.count("fanInSeeds", 12, 100, 2_000);
  private static final int STEP_COUNT = 300;
  private static final int OPEN_COUNT_MAX = 20;
  private static final int HOURS_MAX = 10_000;
  private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);
  private static final ClaimOptions NEXT = ClaimOptions.by("worker");

  @TempDir private Path folder;

  private Random random;
  private EngineHarness harness;

  @Test
  void stepsOfManyJobs_storeFailsAndPowerGoes_eachJobHasItsEffectOnce() {
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

  private Reports reports() {
    return new Reports(harness.engine());
  }

  private void step() {
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> {
          if (reports().openCount() < OPEN_COUNT_MAX) {
            reports().issue(random);
          }
        }
        case 3, 4, 5, 6 -> reports().workNext(NEXT);
        case 7 -> harness.clock().advanceMs(HOUR_MS);
        case 8 -> stop();
        default -> reports().renderNext(NEXT, random);
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
    assertThat(reports().flaws()).isEmpty();
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  private void recover() {
    harness.machine().plan(FaultPlan.none());
    harness.recover();
  }

  /** Lets all that is left come to its end; how many reports there were. */
  private long finish() {
    Reports reports = reports();
    for (int hour = 0; hour < HOURS_MAX && reports.openCount() > 0; hour++) {
      while (reports.workNext(NEXT) | reports.renderNext(NEXT, random)) {
        // Until nothing is to be done before another hour.
      }
      harness.clock().advanceMs(HOUR_MS);
      harness.poke();
    }
    assertThat(reports.flawsAtTheEnd()).isEmpty();
    return reports.issuedCount();
  }
}

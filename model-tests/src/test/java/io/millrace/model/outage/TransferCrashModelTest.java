package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.JobId;
import io.millrace.model.crash.Chains;
import io.millrace.model.crash.Transfers;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Money moves between accounts, a job a transfer, and jobs from queue to queue, on a store that
 * fails and loses power as a seed says: no money is lost or made, each transfer is applied once,
 * and each chain of jobs goes on where it was.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
class TransferCrashModelTest {

  private static final int SEED_COUNT = Trials.count("transferSeeds", 12, 200, 2_000);
  private static final int STEP_COUNT = 300;
  private static final long LEASE_OVER_MS = 31_000;
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);

  @TempDir private Path folder;

  private Random random;
  private EngineHarness harness;
  private final Set<String> acknowledged = new HashSet<>();
  private final Set<String> links = new HashSet<>();

  @Test
  void transfers_storeFailsAndPowerGoes_moneyIsNeitherLostNorMade() {
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
    random = new Random(seed);
    acknowledged.clear();
    links.clear();
    try (EngineHarness started =
        new EngineHarness(StoreKind.FAULTY, folder.resolve("store-" + seed), Setup.DEFAULT)) {
      harness = started;
      harness.machine().plan(FaultPlan.random(seed, RATES));
      for (int i = 0; i < STEP_COUNT; i++) {
        step();
      }
      recover();
      harness.clock().advanceMs(LEASE_OVER_MS);
      harness.poke();
      while (new Transfers(harness.engine()).applyNext("last").map(this::note).isPresent()
          || new Chains(harness.engine()).goOn("last").isPresent()) {
        // Until none is left.
      }
      check();
    }
  }

  private void step() {
    try {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5, 6 -> new Transfers(harness.engine()).issue(random);
        case 7 -> stop();
        case 8 -> harness.clock().advanceMs(LEASE_OVER_MS);
        case 9, 10, 11, 12 ->
            new Chains(harness.engine()).goOnOrBegin("linker").ifPresent(links::add);
        default -> new Transfers(harness.engine()).applyNext("worker").ifPresent(this::note);
      }
    } catch (MillraceException told) {
      recover();
      check();
      harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
    }
  }

  private JobId note(JobId applied) {
    acknowledged.add(applied.toString());
    return applied;
  }

  private void stop() {
    recover();
    switch (random.nextInt(3)) {
      case 0 -> harness.restartCleanly();
      case 1 -> harness.crash();
      default -> harness.losePower();
    }
    check();
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  private void check() {
    // A lease that ran out between two listings would move its job from one not yet read to one
    // that was.
    harness.awaitNothingDue();
    assertThat(new Transfers(harness.engine()).flaws(acknowledged)).isEmpty();
    assertThat(new Chains(harness.engine()).flaws(links)).isEmpty();
  }

  private void recover() {
    harness.machine().plan(FaultPlan.none());
    harness.clock().advanceMs(1_000);
    while (harness.engine().poison().isPresent()) {
      harness.engine().reopen();
    }
  }
}

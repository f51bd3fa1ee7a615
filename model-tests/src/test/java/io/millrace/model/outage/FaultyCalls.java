package io.millrace.model.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultRates;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls that a seed draws, on a store that fails and loses power as the seed says; then the store
 * is sound, all that it holds agrees, and what is left is served.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Tag("slow")
abstract class FaultyCalls {

  private static final int CALL_COUNT = 400;
  private static final FaultRates RATES = new FaultRates(0.01, 0.01, 0.01, 0.02, 0);

  @TempDir private Path folder;

  SplittableRandom random;
  EngineHarness harness;

  /** Makes the calls of so many seeds. */
  final void run(int seedCount) {
    long first = Trials.seedOfChanges();
    for (long seed = first; seed < first + seedCount; seed++) {
      try {
        run(seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("repeat with -Dmillrace.seed=" + seed, e);
      }
    }
    Trials.report(getClass(), "%d seeds from %d".formatted(seedCount, first));
  }

  private void run(long seed) {
    random = new SplittableRandom(seed);
    try (EngineHarness started = start(folder.resolve("store-" + seed))) {
      harness = started;
      begin();
      harness.machine().plan(FaultPlan.random(seed, RATES));
      for (int i = 0; i < CALL_COUNT; i++) {
        try {
          call(i);
        } catch (MillraceException told) {
          failed();
        }
        lookNow();
      }
      harness.machine().plan(FaultPlan.none());
      harness.recover();
      check();
      serveAll();
      check();
    }
  }

  /** The engine of a seed. */
  EngineHarness start(Path store) {
    return new EngineHarness(StoreKind.FAULTY, store, Setup.DEFAULT);
  }

  /** The engine of a seed is new: nothing is known of the one before. */
  abstract void begin();

  /** Makes the next call, of this number, or several. */
  abstract void call(int number);

  /** Looks at what is there after a call, if it is time to. */
  void lookNow() {}

  /** A call has failed: the engine is opened again, also if that fails at first. */
  void failed() {
    harness.recover();
  }

  /** Looks at what the next process finds; meanwhile the store does not fail. */
  void restarted() {}

  /** The process has ended, and with it all leases. */
  void forgetLeases() {}

  /** Each job that is left is served when its turn comes, and nothing stays behind. */
  abstract void serveAll();

  final void pass(Duration time) {
    harness.clock().advanceMs(time.toMillis());
    harness.awaitNothingDue();
  }

  /** Ends the process in one of three ways, and begins the next. */
  final void stop() {
    forgetLeases();
    withoutFaults(
        () -> {
          switch (random.nextInt(3)) {
            case 0 -> harness.restartCleanly();
            case 1 -> harness.crash();
            default -> harness.losePower();
          }
          restarted();
        });
  }

  /** Does this with an engine that works and a store that does not fail. */
  final void withoutFaults(Runnable work) {
    harness.machine().plan(FaultPlan.none());
    harness.recover();
    work.run();
    harness.machine().plan(FaultPlan.random(random.nextLong(), RATES));
  }

  /** All that is stored agrees: counts with records, slots with holders, and no key is idle. */
  final void check() {
    assertThat(harness.engine().verify().problems()).isEmpty();
  }
}

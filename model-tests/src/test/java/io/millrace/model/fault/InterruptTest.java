package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers that are interrupted at any moment of any call: each call ends with what its
 * documentation says, the interrupt is not swallowed, no lease is left to somebody who does not
 * know of it, and the engine goes on.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class InterruptTest {

  private static final int DELAY_NS_MAX = 1_500_000;
  private static final int HELD_MAX = 20;
  private static final Load.Shape NOBODY =
      new Load.Shape(0, 0, Duration.ofMinutes(30), Duration.ofMillis(1), 60, 0);

  @TempDir Path folder;

  private volatile int begun = -1;
  private volatile int interrupted = -1;

  @ParameterizedTest
  @ValueSource(strings = {"memory", "lmdb", "rocksdb"})
  void callers_interruptedAtAnyMomentOfAnyCall_areToldAndLeaveNothingBehind(String scheme)
      throws InterruptedException {
    int rounds = Trials.count("interrupts", 50, 300, 20_000);
    long seed = Trials.seed();
    Ledger ledger = new Ledger();
    StorePlace place = StorePlace.of(scheme + ":" + folder.resolve("store"));
    try (JobEngine engine =
        JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT)) {
      InterruptedCalls calls = new InterruptedCalls(engine, ledger, folder.resolve("backups"));
      Thread caller = new Thread(() -> call(calls, rounds, new Random(seed), ledger), "caller");
      caller.start();
      interrupt(caller, rounds, new Random(seed + 1));
      caller.join();

      Load load = new Load(engine, ledger, NOBODY, seed);
      InterruptedCalls.QUEUES.forEach(load::drain);
      calls.checkEnds();
      ledger.check(engine);
      assertThat(ledger.violations()).as("seed %d", seed).isEmpty();
      assertThat(engine.poison()).isEmpty();
      Trials.report(
          getClass(),
          "%s: %d interrupts; calls that ended otherwise than with an answer: %s; %s"
              .formatted(scheme, rounds, calls.disturbed(), ledger.summary()));
    }
  }

  /** Makes calls, each of which is interrupted: before it, in it, or just after it. */
  private void call(InterruptedCalls calls, int rounds, Random random, Ledger ledger) {
    try {
      for (int round = 0; round < rounds; round++) {
        if (random.nextInt(10) == 0) {
          Thread.currentThread().interrupt();
        }
        begun = round;
        String call = calls.call(random);
        while (interrupted < round) {
          Thread.onSpinWait();
        }
        if (!Thread.interrupted()) {
          ledger.wrong("interrupt was swallowed by " + call);
        }
        calls.settle(HELD_MAX);
      }
      calls.finish();
    } catch (RuntimeException | Error e) {
      ledger.wrong("told what is not documented: " + e + " at " + List.of(e.getStackTrace()));
      interrupted = rounds;
      begun = rounds;
    }
  }

  private void interrupt(Thread caller, int rounds, Random random) {
    for (int round = 0; round < rounds; round++) {
      while (begun < round) {
        Thread.onSpinWait();
      }
      LockSupport.parkNanos(1 + random.nextInt(DELAY_NS_MAX));
      caller.interrupt();
      interrupted = Math.max(interrupted, round);
    }
  }
}

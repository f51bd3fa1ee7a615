package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.ReleaseResult;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole processes that are stopped for longer than their leases last, and go on. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("thorough")
class StoppedProcessTest {

  private static final long LEASE_MS = 1_000;
  private static final long BUSY_LEASE_MS = 400;

  /** What a lease may lose by a stop: the loop looks at the clock no more often. */
  private static final long TOLERANCE_MS = 250;

  @TempDir Path folder;

  @BeforeEach
  void requireSignals() {
    Machine.require("kill");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void process_idleAndStoppedForTwiceItsLease_leaseGoesOnWhereItWas(String scheme)
      throws IOException {
    int trials = Trials.count("stops", 1, 2, 10);
    long seed = Trials.seed();
    Random random = new Random(seed);
    int trial = 0;
    try (FaultProcess process = start(scheme)) {
      process.say("claim " + LEASE_MS);
      process.await("held");
      process.say("complete");
      process.line();
      int conclusive = 0;
      while (conclusive < trials) {
        trial++;
        long beganNs = System.nanoTime();
        process.say("claim " + LEASE_MS);
        process.await("held");
        Load.pause(random.nextInt((int) LEASE_MS / 3));
        Stop stop = stop(process, 2 * LEASE_MS);
        process.say("complete");
        String told = process.line();
        long ranNs = stop.stoppedNs() - beganNs + System.nanoTime() - stop.wentOnNs();
        long ranMs = TimeUnit.NANOSECONDS.toMillis(ranNs);

        // On a machine that is so busy the lease may really be over.
        if (ranMs < LEASE_MS - TOLERANCE_MS) {
          assertThat(told)
              .as("seed %d, trial %d, ran %d ms", seed, trial, ranMs)
              .isEqualTo("COMPLETED");
          conclusive++;
        } else {
          assertThat(told).isIn("COMPLETED", "STALE_LEASE, another had it", "STALE_LEASE");
        }
      }
      process.end();
      assertThat(process.findings().violations()).isEmpty();
    }
    Trials.report(
        getClass(), scheme + ": " + trial + " stops of an idle process, " + trials + " conclusive");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void process_busyAndStoppedForTwiceItsLeases_noJobHasTwoHoldersAndNobodyIsToldTooLateWrongly(
      String scheme) throws IOException {
    int stops = Trials.count("busy.stops", 1, 4, 10);
    long seed = Trials.seed();
    Random random = new Random(seed);
    try (FaultProcess process = start(scheme)) {
      process.say("load " + BUSY_LEASE_MS);
      process.await("working");
      for (int stop = 0; stop < stops; stop++) {
        // Further apart than a lease is long: one that is stopped again and again ends all the
        // same.
        Load.pause(BUSY_LEASE_MS + random.nextInt((int) BUSY_LEASE_MS));
        stop(process, 2 * BUSY_LEASE_MS);
      }
      process.end();

      FaultProcess.Findings findings = process.findings();

      assertThat(findings.violations()).as("seed %d", seed).isEmpty();
      Trials.report(
          getClass(),
          scheme + ": " + stops + " stops of a busy process; " + findings.tried().get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void holder_sleepsPastItsLease_isToldSoWhateverItAsksAndTheNextHolderKeepsTheJob(String scheme) {
    try (JobEngine engine = JobEngine.open(scheme + ":" + folder.resolve("store"))) {
      JobQueue queue = engine.queue("held");
      queue.enqueue(new byte[10]);
      Lease sleeper = queue.claim("sleeper", Limits.LEASE_LEAST).orElseThrow();

      List<Lease> next = queue.claim(ClaimOptions.by("next").waiting(Duration.ofMinutes(1)));

      assertThat(next).hasSize(1);
      assertThat(sleeper.remaining()).isZero();
      assertThat(next.get(0).token()).isGreaterThan(sleeper.token());
      assertThat(next.get(0).attempt()).isEqualTo(2);
      assertThat(sleeper.extend(Duration.ofMinutes(1))).isEqualTo(new ExtendResult.StaleLease());
      assertThat(sleeper.checkpoint(new byte[1])).isEqualTo(new ExtendResult.StaleLease());
      assertThat(sleeper.fail("late")).isEqualTo(new FailResult.StaleLease());
      assertThat(sleeper.release()).isEqualTo(ReleaseResult.STALE_LEASE);
      assertThat(sleeper.complete()).isEqualTo(CompleteResult.STALE_LEASE);
      assertThat(next.get(0).complete()).isEqualTo(CompleteResult.COMPLETED);
      assertThat(sleeper.complete()).isEqualTo(CompleteResult.GONE);
    }
  }

  /** When a process was stopped at the latest, and went on at the earliest. */
  private record Stop(long stoppedNs, long wentOnNs) {}

  private static Stop stop(FaultProcess process, long stoppedMs) throws IOException {
    String pid = Long.toString(process.pid());
    Machine.run("kill", "-STOP", pid);
    long stoppedNs = System.nanoTime();
    long endNs = stoppedNs + TimeUnit.MILLISECONDS.toNanos(stoppedMs);
    while (System.nanoTime() - endNs < 0) {
      Load.pause(10);
    }
    long wentOnNs = System.nanoTime();
    Machine.run("kill", "-CONT", pid);
    return new Stop(stoppedNs, wentOnNs);
  }

  private FaultProcess start(String scheme) throws IOException {
    return FaultProcess.start(
        FaultProcess.World.ORDINARY, StoppedWorker.class, scheme + ":" + folder.resolve("store"));
  }
}

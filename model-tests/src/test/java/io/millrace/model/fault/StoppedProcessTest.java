package io.millrace.model.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.fault.Machine;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole processes that are stopped for longer than their leases last, and go on. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class StoppedProcessTest {

  private static final long LEASE_MS = 1_000;

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
    int trials = Trials.count("stops", 1, 3, 40);
    long seed = Trials.seed();
    Random random = new Random(seed);
    int conclusive = 0;
    try (FaultProcess process = start(scheme)) {
      for (int trial = 0; trial < trials; trial++) {
        long beganNs = System.nanoTime();
        process.say("claim " + LEASE_MS);
        process.await("held");
        Load.pause(random.nextInt((int) LEASE_MS / 3));
        long ranMs = stop(process, beganNs, 2 * LEASE_MS);
        beganNs = System.nanoTime();
        process.say("complete");
        String told = process.line();
        ranMs += (System.nanoTime() - beganNs) / 1_000_000;

        // On a machine that is so busy the lease may really be over.
        if (ranMs < LEASE_MS - TOLERANCE_MS) {
          assertThat(told).as("seed %d, trial %d, ran %d ms", seed, trial, ranMs).isEqualTo("COMPLETED");
          conclusive++;
        } else {
          assertThat(told).isIn("COMPLETED", "STALE_LEASE, another had it", "STALE_LEASE");
        }
      }
      process.end();
      assertThat(process.findings().violations()).isEmpty();
    }
    Trials.report(
        getClass(), scheme + ": " + trials + " stops of an idle process, " + conclusive + " conclusive");
  }

  /** Stops it for a while; how long it ran before, since then. */
  private static long stop(FaultProcess process, long beganNs, long stoppedMs) throws IOException {
    String pid = Long.toString(process.pid());
    Machine.run("kill", "-STOP", pid);
    long stoppedNs = System.nanoTime();
    long endNs = stoppedNs + TimeUnit.MILLISECONDS.toNanos(stoppedMs);
    while (System.nanoTime() - endNs < 0) {
      Load.pause(10);
    }
    Machine.run("kill", "-CONT", pid);
    return (stoppedNs - beganNs) / 1_000_000;
  }

  private FaultProcess start(String scheme) throws IOException {
    return FaultProcess.start(
        List.of(), Map.of(), StoppedWorker.class, scheme + ":" + folder.resolve("store"));
  }
}

package io.millrace.model.traps;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The loop was away: leases get that time back, but no lease outlives its holder for ever. */
@InProcess("what a store's faults do, whoever calls")
class StallTrapsTest extends TrapTest {

  private static final Duration STALL = ofMillis(250);

  /** So many that one call is a group of its own, and others always wait behind it. */
  private static final List<NewJob> WHOLE_GROUP =
      Collections.nCopies(6_000, NewJob.of(new byte[0]));

  private static EngineOptions options(ManualClock clock) {
    return Setup.DEFAULT.options(clock).stallThreshold(STALL);
  }

  private static CompletableFuture<?> enqueueGroup(EngineHarness harness) {
    return harness.queues().queue("load").enqueueAllAsync(WHOLE_GROUP);
  }

  @Test
  void reaper_loadNeverPausesAfterAStall_leaseExpires() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, StallTrapsTest::options);
    JobId id = enqueue(mail(harness), "a");
    assertThat(mail(harness).claim("worker", ofMillis(200))).isPresent();
    harness.store().holdNextWrite();
    enqueueGroup(harness);
    harness.store().awaitHeld();

    harness.clock().advanceMs(1_000);
    enqueueGroup(harness);
    enqueueGroup(harness);
    for (int i = 0; i < 10; i++) {
      enqueueGroup(harness);
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
      assertThat(harness.engine().metrics().ringDepth()).as("requests wait").isPositive();
      harness.clock().advanceMs(100);
    }

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
  }

  @Test
  void reaper_requestsQueuedDuringTheStall_areDoneBeforeTheirLeasesEnd()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, StallTrapsTest::options);
    enqueue(mail(harness), "a");
    Lease lease = mail(harness).claim("worker", ofMillis(200)).orElseThrow();
    harness.store().holdNextWrite();
    enqueueGroup(harness);
    harness.store().awaitHeld();
    enqueueGroup(harness);
    enqueueGroup(harness);
    CompletableFuture<CompleteResult> complete = lease.completeAsync();

    harness.clock().advanceMs(1_000);
    for (int i = 0; i < 2; i++) {
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
      harness.clock().advanceMs(150);
    }
    harness.store().letGo();

    assertThat(join(complete)).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void reaper_everyWriteTakesLongerThanAStall_leaseLastsAtMostTwiceItsLengthAndOneStall()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, StallTrapsTest::options);
    JobId id = enqueue(mail(harness), "a");
    assertThat(mail(harness).claim("worker", ofSeconds(1))).isPresent();
    harness.store().holdNextWrite();
    Dropped.result(mail(harness).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();

    for (int elapsedMs = 0; elapsedMs <= 2_300; elapsedMs += 300) {
      harness.clock().advanceMs(300);
      Dropped.result(mail(harness).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
    }
    harness.store().letGo();
    harness.poke();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
  }
}

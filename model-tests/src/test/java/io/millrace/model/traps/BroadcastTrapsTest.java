package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.BroadcastReport;
import io.millrace.api.Durability;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.WaitResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Broadcasts that find nobody, or so many that one batch does not reach them all. */
class BroadcastTrapsTest extends SignalTrapTest {

  @Test
  void broadcast_toNobody_isKeptForTheFirstWhoWaits() {
    EngineHarness harness = start(StoreKind.MEMORY);
    assertThat(broadcast(harness, "go", "old")).isEqualTo(new BroadcastReport(0, true));
    assertThat(broadcast(harness, "go", "new")).isEqualTo(new BroadcastReport(0, true));
    assertThat(signalRows(harness)).isEqualTo(1);
    assertThat(timerCount(harness)).isEqualTo(1);
    harness.crash();
    enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");

    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.WAITING);

    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("go", "new"));
    assertThat(signalRows(harness)).isZero();
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void broadcast_kept_isForgottenInItsTime() {
    EngineHarness harness = start(StoreKind.MEMORY);
    broadcast(harness, "go", "x");
    harness.queues().signals().broadcast(MAIL, "soon", bytes("x"), ofSeconds(5));
    assertThat(harness.queues().signals().broadcast(MAIL, "never", bytes("x"), Duration.ZERO))
        .isEqualTo(new BroadcastReport(0, false));
    assertThat(signalRows(harness)).isEqualTo(2);

    advance(harness, ofSeconds(6));
    harness.awaitNothingDue();
    assertThat(signalRows(harness)).isEqualTo(1);
    advance(harness, ofDays(7));
    harness.awaitNothingDue();

    assertThat(signalRows(harness)).isZero();
    assertThat(timerCount(harness)).isZero();
    enqueue(mail(harness), "job");
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
  }

  @Test
  void broadcast_thatIsNotKept_leavesNoOlderOneOfItsName() {
    EngineHarness harness = start(StoreKind.MEMORY);
    broadcast(harness, "go", "old");
    broadcast(harness, "other", "x");

    assertThat(harness.queues().signals().broadcast(MAIL, "go", bytes("new"), Duration.ZERO))
        .isEqualTo(new BroadcastReport(0, false));

    assertThat(signalRows(harness)).isEqualTo(1);
    assertThat(timerCount(harness)).isEqualTo(1);
    enqueue(mail(harness), "job");
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
  }

  @Test
  void broadcast_keptInAnEmptyQueue_outlivesTheTimeThatEmptyQueuesAreKept() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock ->
                Setup.DEFAULT
                    .options(clock)
                    .queueIdle(ofSeconds(2))
                    .emptyQueueKept(Duration.ofHours(1)));
    broadcast(harness, "go", "x");

    for (int i = 0; i < 30; i++) {
      advance(harness, Duration.ofHours(1));
      harness.awaitNothingDue();
    }
    enqueue(mail(harness), "job");

    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertClean(harness);
  }

  /** So many that one step does not reach all of them. */
  private static final int MANY = 2_500;

  private static List<JobId> manyWaiting(EngineHarness harness) {
    JobQueue mail = mail(harness);
    List<JobId> ids = new ArrayList<>();
    IntStream.range(0, MANY).forEach(i -> ids.add(enqueue(mail, "job " + i)));
    List<CompletableFuture<WaitResult>> waits = new ArrayList<>();
    claim(mail, MANY).forEach(lease -> waits.add(lease.waitForAsync("go", ofDays(1))));
    waits.forEach(wait -> assertThat(join(wait)).isEqualTo(WaitResult.WAITING));
    return ids;
  }

  @ParameterizedTest
  @EachStoreKind
  void broadcast_processDiesInTheMiddle_reachesAllAtTheNextOpening(StoreKind kind)
      throws InterruptedException {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    List<JobId> ids = manyWaiting(harness);
    harness.store().holdNextWrite();
    Thread caller = new Thread(() -> tryToBroadcast(harness));
    caller.start();
    harness.store().awaitHeld();
    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();

    harness.crash();
    caller.join();
    harness.awaitNothingDue();

    assertThat(mail(harness).stats().orElseThrow().count(JobState.WAITING)).isZero();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(MANY);
    assertThat(signalRows(harness)).isZero();
    assertThat(timerCount(harness)).isZero();
    Lease lease = claim(mail(harness));
    assertThat(lease.jobId()).isEqualTo(ids.get(0));
    assertThat(lease.wake()).isEqualTo(signalled("go", "all"));
    assertClean(harness);
  }

  private static <T> CompletableFuture<T> onAThread(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, thread -> new Thread(thread).start());
  }

  private static void tryToBroadcast(EngineHarness harness) {
    try {
      broadcast(harness, "go", "all");
    } catch (MillraceException e) {
      // Its engine died.
    }
  }

  @Test
  void broadcast_toMany_tellsHowManyAndWakesNobodyTwice() {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    manyWaiting(harness);

    assertThat(broadcast(harness, "go", "all")).isEqualTo(new BroadcastReport(MANY, false));

    assertThat(mail(harness).stats().orElseThrow().total(Total.WOKEN)).isEqualTo(MANY);
    assertThat(broadcast(harness, "other", "x").isKept()).isTrue();
    assertClean(harness);
  }

  @Test
  void broadcast_underWay_jobsToComeAreNeitherPurgedAsWaitingNorLeftWaitingByAReschedule()
      throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    List<JobId> ids = manyWaiting(harness);
    JobId last = ids.get(MANY - 1);
    harness.store().holdNextWrite();
    Thread caller = new Thread(() -> tryToBroadcast(harness));
    caller.start();
    harness.store().awaitHeld();
    Instant later = Instant.EPOCH.plus(ofDays(99_999));
    var rescheduled = onAThread(() -> harness.queues().reschedule(last, later));
    var purged = onAThread(() -> mail(harness).purge(EnumSet.of(JobState.WAITING)));
    awaitRingDepth(harness, 2);

    harness.store().letGo();
    caller.join();

    assertThat(join(rescheduled)).isEqualTo(RescheduleResult.RESCHEDULED);
    assertThat(join(purged)).as("purged").isZero();
    assertThat(state(harness.queues(), last)).isEqualTo(JobState.DELAYED);
    assertThat(mail(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(MANY - 1);
    assertThat(mail(harness).stats().orElseThrow().total(Total.WOKEN)).isEqualTo(MANY);
    assertThat(harness.queues().reschedule(last, Instant.EPOCH).isDone()).isTrue();
    assertThat(claim(mail(harness), MANY))
        .hasSize(MANY)
        .allSatisfy(lease -> assertThat(lease.wake()).isEqualTo(signalled("go", "all")));
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void broadcast_underWay_comesBeforeWhatComesLater() throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    List<JobId> ids = manyWaiting(harness);
    JobId last = ids.get(MANY - 1);
    JobId lastButOne = ids.get(MANY - 2);
    JobId late = enqueue(mail(harness), "late");
    Lease ofLate = claim(mail(harness));
    harness.store().holdNextWrite();
    CompletableFuture<BroadcastReport> report =
        CompletableFuture.supplyAsync(() -> broadcast(harness, "go", "all"));
    harness.store().awaitHeld();
    var sent = harness.queues().signals().signalAsync(last, "go", bytes("second"));
    var stuck = new Thread(() -> harness.queues().admin().failStuck(lastButOne, "no").orThrow());
    stuck.start();
    var wait = ofLate.waitForAsync("go");

    harness.store().letGo();
    stuck.join();

    assertThat(join(report))
        .as("all, whatever met them")
        .isEqualTo(new BroadcastReport(MANY, false));

    assertThat(join(sent)).isEqualTo(SignalResult.KEPT);
    assertThat(join(wait)).as("it waits since after the broadcast").isEqualTo(WaitResult.WAITING);
    assertThat(state(harness.queues(), late)).isEqualTo(JobState.WAITING);
    assertThat(state(harness.queues(), lastButOne)).isEqualTo(JobState.READY);
    for (Lease lease : claim(mail(harness), MANY)) {
      assertThat(lease.wake()).isEqualTo(signalled("go", "all"));
      if (lease.jobId().equals(last)) {
        assertThat(lease.waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
      }
    }
    assertClean(harness);
  }
}

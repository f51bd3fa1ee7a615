package io.millrace.model.traps;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EngineClock;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Wall clocks jump and processes are stopped: no lease is lost, no delay runs early, time never
 * stands still.
 */
class ClockTrapsTest extends TrapTest {

  @Test
  void wallClock_leapsADayAhead_expiresNoLease() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    stepWall(harness, ofDays(1).toMillis());

    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void claim_madeAfterTheLoopLookedAtTheClock_isNotJudgedByThatLook() {
    AtomicReference<LateClock> late = new AtomicReference<>();
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock -> {
              late.set(new LateClock(clock));
              return Setup.DEFAULT.options(late.get());
            });
    JobQueue mail = mail(harness);
    enqueue(mail, "a", EnqueueOptions.DEFAULT.delay(ofMinutes(10)));
    harness.awaitNothingDue();
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    late.get()
        .afterNextLook(
            () -> {
              harness.clock().advanceMs(ofMinutes(10).toMillis());
              claims.add(mail.claimAsync(ClaimOptions.by("worker")));
            });

    harness.poke();

    assertThat(join(claims.get(0))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 3_600, 86_400})
  void wallClock_leapsAhead_movesInstantsButNoDelays(long seconds) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Instant instant = Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(seconds - 1);
    enqueue(mail, "delay", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));
    enqueue(mail, "instant", EnqueueOptions.DEFAULT.visibleAt(instant));
    enqueue(
        mail, "backoff", EnqueueOptions.DEFAULT.priority(1).backoff(Backoff.fixed(ofSeconds(60))));
    claim(mail).fail("broken").orThrow();
    Duration believedAfter = ofSeconds(seconds > 10 ? 30 : 0);

    stepWall(harness, 1_000 * seconds);
    advance(harness, believedAfter);

    Lease lease = claim(mail);
    assertThat(payload(lease)).isEqualTo("instant");
    lease.complete().orThrow();
    advance(harness, ofMillis(59_999).minus(believedAfter));
    assertThat(claim(mail, 10)).isEmpty();
    advance(harness, ofMillis(1));
    assertThat(payloads(claim(mail, 10))).containsExactly("backoff", "delay");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10, 3_600, 86_400})
  void wallClock_stepsBack_delaysAndLeasesEndAllTheSame(long seconds) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId leased = enqueue(mail, "leased");
    claim(mail);
    enqueue(mail, "delay", EnqueueOptions.DEFAULT.delay(ofSeconds(5)));

    stepWall(harness, -1_000 * seconds);
    advance(harness, ofMillis(4_999));
    assertThat(claim(mail, 10)).isEmpty();
    advance(harness, ofMillis(1));

    assertThat(payloads(claim(mail, 10))).containsExactly("delay");
    advance(harness, ofMillis(25_001));
    awaitJob(harness, leased, JobState.READY, 1);
  }

  @Test
  void engineTime_wallClockStepsBackAndForth_neverGoesBackAndNeverStandsStill() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Instant last = Instant.EPOCH;
    long[] stepsMs = {0, -1_000, 2_500, -86_400_000, 10, 3_600_000, -3_600_000, 90_000_000};
    for (long stepMs : stepsMs) {
      stepWall(harness, stepMs);
      for (int i = 0; i < 5; i++) {
        advance(harness, ofMillis(10));
        JobId id = enqueue(mail, "a");
        Instant enqueuedAt = job(harness.queues(), id).enqueuedAt();
        assertThat(enqueuedAt).isAfterOrEqualTo(last.plusMillis(i == 0 ? 0 : 5));
        last = enqueuedAt;
      }
    }
  }

  @Test
  void engineTime_wallClockIsBehind_runsAtHalfSpeedUntilTheyMeet() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Instant start = Instant.ofEpochMilli(harness.clock().epochMs());
    stepWall(harness, -10_000);

    advance(harness, ofSeconds(4));
    Instant behind = job(harness.queues(), enqueue(mail, "a")).enqueuedAt();
    assertThat(harness.engine().health().warnings())
        .containsExactly(
            "wall clock is behind engine time, which runs at half its speed until they meet:"
                + " instants come early by the wall clock, leases and delays of a length are as"
                + " they were");
    advance(harness, ofSeconds(16));
    assertThat(harness.engine().health().warnings()).isEmpty();
    Instant met = job(harness.queues(), enqueue(mail, "b")).enqueuedAt();
    advance(harness, ofSeconds(1));
    Instant together = job(harness.queues(), enqueue(mail, "c")).enqueuedAt();

    assertThat(behind).isEqualTo(start.plusSeconds(2));
    assertThat(met).isEqualTo(start.plusSeconds(10));
    assertThat(together).isEqualTo(start.plusSeconds(11));
  }

  @Test
  void restart_wallClockWasSetBackADay_engineTimeIsASecondAhead() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "before");
    stepWall(harness, ofDays(-1).toMillis());

    harness.restartCleanly();

    Instant wall = Instant.ofEpochMilli(harness.clock().epochMs());
    Instant enqueuedAt = job(harness.queues(), enqueue(mail(harness), "after")).enqueuedAt();
    assertThat(enqueuedAt).isEqualTo(wall.plusSeconds(1));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("before", "after");
  }

  @Test
  void wallClock_leapsAhead_showsTheNewInstantsOfDelays() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    Instant start = Instant.ofEpochMilli(harness.clock().epochMs());
    JobId delay = enqueue(mail, "delay", EnqueueOptions.DEFAULT.delay(ofMinutes(5)));
    JobId instant =
        enqueue(mail, "instant", EnqueueOptions.DEFAULT.visibleAt(start.plusSeconds(300)));

    stepWall(harness, 10_000);
    JobId later = enqueue(mail, "later", EnqueueOptions.DEFAULT.delay(ofMinutes(5)));

    assertThat(job(harness.queues(), delay).visibleAt()).contains(start.plusSeconds(310));
    assertThat(job(harness.queues(), instant).visibleAt()).contains(start.plusSeconds(300));
    assertThat(job(harness.queues(), later).visibleAt()).contains(start.plusSeconds(310));
    advance(harness, ofSeconds(290));
    Lease first = claim(mail);
    assertThat(payload(first)).isEqualTo("instant");
    first.complete().orThrow();
    advance(harness, ofSeconds(10));
    assertThat(payloads(claim(mail, 10))).containsExactly("delay", "later");
  }

  @Test
  void wallClock_leapsAheadOfManyDelays_eachRowIsPassedOverOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    int jobCount = 3_000;
    for (int i = 0; i < jobCount; i++) {
      enqueue(mail, "later", EnqueueOptions.DEFAULT.delay(ofHours(10)));
    }
    stepWall(harness, ofDays(1).toMillis());
    advance(harness, ofSeconds(30));
    harness.awaitNothingDue();
    long visitedBefore = harness.store().rowsVisited();

    for (int i = 0; i < 100; i++) {
      enqueue(mail, "soon", EnqueueOptions.DEFAULT.delay(ofMillis(1)));
      advance(harness, ofMillis(1));
      assertThat(claim(mail, 10)).hasSize(1);
    }

    assertThat(harness.store().rowsVisited() - visitedBefore).isLessThan(jobCount);
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400, -10, 10, 86_400})
  void restart_wallClockWasSetBefore_delaysGoOn(long seconds) {
    EngineHarness harness = start(StoreKind.LMDB);
    enqueue(mail(harness), "delay", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));
    stepWall(harness, 1_000 * seconds);
    enqueue(mail(harness), "later", EnqueueOptions.DEFAULT.delay(ofSeconds(60)));

    harness.restartCleanly();

    advance(harness, ofMillis(59_999));
    assertThat(claim(mail(harness), 10)).isEmpty();
    advance(harness, ofMillis(1));
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("delay", "later");
  }

  @Test
  void restart_wallClockWasSetBack_deadLettersOfTheFutureAreRedrivenAndDeleted() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions once = EnqueueOptions.DEFAULT.maxAttempts(1);
    for (String queue : List.of("mail", "post")) {
      enqueue(harness.queues().queue(queue), "a", once);
      claim(harness.queues().queue(queue)).fail("broken").orThrow();
    }
    stepWall(harness, ofDays(-1).toMillis());
    harness.restartCleanly();

    long redriven = mail(harness).deadLetters().redriveAll(DeadFilter.ALL);
    long deleted = harness.queues().queue("post").deadLetters().deleteAll(DeadFilter.ALL);

    assertThat(redriven).isEqualTo(1);
    assertThat(deleted).isEqualTo(1);
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("a");
  }

  @Test
  void restart_delayPassedMeanwhile_jobIsReadyAtOnce() {
    EngineHarness harness = start(StoreKind.LMDB);
    enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.delay(ofHours(1)));
    enqueue(mail(harness), "b", EnqueueOptions.DEFAULT.delay(ofMinutes(1)));

    harness.clock().advanceMs(ofHours(2).toMillis());
    harness.restartCleanly();

    assertThat(payloads(claim(mail(harness), 10))).containsExactly("b", "a");
  }

  @Test
  void mover_jobsDueTogether_enterInTheOrderOfTheirInstants() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      enqueue(mail, "in " + (60 - i), EnqueueOptions.DEFAULT.delay(ofSeconds(60 - i)));
      expected.add(0, "in " + (60 - i));
    }

    harness.clock().advanceMs(60_000);
    enqueue(mail, "after");
    expected.add("after");

    assertThat(payloads(claim(mail, 100))).isEqualTo(expected);
  }

  @Test
  void mover_moreDueThanAStepMoves_goesOnAtOnceUntilAllAreReady() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    NewJob later = new NewJob(new byte[1], EnqueueOptions.DEFAULT.delay(ofMinutes(1)));
    mail.enqueueAll(Collections.nCopies(2_500, later));

    harness.clock().advanceMs(60_000);
    harness.awaitNothingDue();

    assertThat(mail.stats().orElseThrow().count(JobState.READY)).isEqualTo(2_500);
    assertThat(claim(mail, 3_000)).hasSize(2_500);
    assertClean(harness);
  }

  @Test
  void mover_fewOfManyAreDue_looksAtThoseAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueueAll(
        Collections.nCopies(
            3_000, new NewJob(new byte[1], EnqueueOptions.DEFAULT.delay(ofHours(1)))));
    mail.enqueueAll(
        Collections.nCopies(
            10, new NewJob(new byte[1], EnqueueOptions.DEFAULT.delay(ofSeconds(1)))));
    long visitedBefore = harness.store().rowsVisited();

    harness.clock().advanceMs(1_000);
    harness.awaitNothingDue();

    assertThat(harness.store().rowsVisited() - visitedBefore).isLessThan(50);
    assertThat(claim(mail, 100)).hasSize(10);
  }

  @Test
  void enqueue_instantThatHasPassed_isReadyAtTheBack() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "first");

    JobId id = enqueue(mail, "long ago", EnqueueOptions.DEFAULT.visibleAt(Instant.EPOCH));

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertThat(payloads(claim(mail, 10))).containsExactly("first", "long ago");
  }

  @Test
  void mover_dueInOneMillisecond_isExact() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a", EnqueueOptions.DEFAULT.delay(ofMillis(1)));
    assertThat(claim(mail, 1)).isEmpty();

    advance(harness, ofMillis(1));

    assertThat(claim(mail, 1)).hasSize(1);
  }

  @Test
  void stall_engineWasAwayLongerThanALease_movesTheDeadlines() throws InterruptedException {
    EngineHarness harness =
        start(
            StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).stallThreshold(ofMillis(250)));
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = mail.claim("worker", ofSeconds(5)).orElseThrow();
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    harness.clock().advanceMs(60_000);
    harness.store().letGo();
    join(blocker);
    harness.poke();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @InProcess("what is left of a lease is told with the answers of a server")
  @Test
  void stall_processWasStoppedWhileTheEngineSlept_leaseGoesOnWhereItWas() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).stallThreshold(ofMillis(250)));
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = mail.claim("worker", ofMillis(500)).orElseThrow();
    enqueue(mail, "syncs the lease's record, so that nothing is due before its end");
    harness.awaitNothingDue();

    harness.clock().advanceMs(60_000);
    harness.poke();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    assertThat(lease.remaining()).isBetween(ofMillis(500 - 250 / 4 - 1), ofMillis(500));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  private static void stepWall(EngineHarness harness, long ms) {
    harness.poke();
    harness.clock().stepWallMs(ms);
    harness.poke();
  }

  /** A clock after whose next reading on the commit loop something happens. */
  private static final class LateClock implements EngineClock {
    private final ManualClock clock;
    private final AtomicReference<Runnable> after = new AtomicReference<>();
    private boolean isLooking;

    LateClock(ManualClock clock) {
      this.clock = clock;
    }

    void afterNextLook(Runnable action) {
      after.set(action);
    }

    /** The loop reads it last, and looks again if time has passed since it first did. */
    @Override
    public long monotonicNs() {
      long read = clock.monotonicNs();
      if (isLoop() && isLooking) {
        isLooking = false;
        Runnable action = after.getAndSet(null);
        if (action != null) {
          action.run();
        }
      }
      return read;
    }

    @Override
    public long epochMs() {
      isLooking |= isLoop();
      return clock.epochMs();
    }

    private static boolean isLoop() {
      return Thread.currentThread().getName().equals("millrace-commit");
    }

    @Override
    public void parkNs(long durationNs) {
      clock.parkNs(durationNs);
    }
  }
}

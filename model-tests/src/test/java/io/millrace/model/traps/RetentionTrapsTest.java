package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Backoff;
import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.api.Result;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What has ended is kept for as long as was asked for, and nothing else is ever removed for it. */
class RetentionTrapsTest extends TrapTest {

  private static final EnqueueOptions KEPT = EnqueueOptions.DEFAULT.resultRetention(ofMinutes(10));

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void complete_resultIsKept_isReadUntilItsTimeAndThenGone(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = mail.enqueue(new byte[3_000], KEPT).jobId();
    long rowCount = rowCountWithoutJobs(harness, id);
    JobId kept = mail.enqueue(new byte[3_000], KEPT).jobId();

    assertThat(claim(mail).complete("sent".getBytes(UTF_8))).isEqualTo(CompleteResult.COMPLETED);
    pass(harness, ofMinutes(10).minusMillis(1));

    Job done = job(harness.queues(), kept);
    assertThat(done.state()).isEqualTo(JobState.DONE);
    assertThat(done.result()).hasValue("sent".getBytes(UTF_8));
    assertThat(done.payload()).hasSize(3_000);
    assertThat(done.history()).hasSize(1);
    assertThat(Duration.between(done.completedAt().orElseThrow(), done.expiresAt().orElseThrow()))
        .isEqualTo(ofMinutes(10));
    assertThat(mail.stats().orElseThrow().count(JobState.DONE)).isEqualTo(1);
    assertThat(claim(mail, 1)).isEmpty();
    assertClean(harness);

    pass(harness, ofMillis(1));

    assertThat(harness.queues().get(kept)).isEmpty();
    assertThat(mail.stats().orElseThrow().count(JobState.DONE)).isZero();
    assertThat(mail.stats().orElseThrow().total(Total.SWEPT)).isEqualTo(1);
    assertThat(harness.store().rowCount()).isEqualTo(rowCount);
    assertClean(harness);
  }

  private static long rowCountWithoutJobs(EngineHarness harness, JobId id) {
    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.CANCELLED);
    return harness.store().rowCount();
  }

  @Test
  void complete_nobodyAsksForTheResult_isGoneAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");

    claim(mail(harness)).complete("result".getBytes(UTF_8)).orThrow();

    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(mail(harness).stats().orElseThrow().count(JobState.DONE)).isZero();
    assertClean(harness);
  }

  @Test
  void complete_queueKeepsResults_jobsOwnRetentionComesFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.resultRetention(ofMinutes(1)));
    JobId ofQueue = enqueue(mail, "by the queue");
    JobId ofJob = enqueue(mail, "by the job", KEPT);
    claim(mail, 2).forEach(lease -> lease.complete().orThrow());

    pass(harness, ofMinutes(1));

    assertThat(harness.queues().get(ofQueue)).isEmpty();
    assertThat(job(harness.queues(), ofJob).result()).isEmpty();
    assertThat(state(harness.queues(), ofJob)).isEqualTo(JobState.DONE);
    assertClean(harness);
  }

  @Test
  void complete_again_isStaleWhileKeptAndGoneAfterwards() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", KEPT);
    Lease lease = claim(mail);
    lease.complete("first".getBytes(UTF_8)).orThrow();

    assertThat(lease.complete("second".getBytes(UTF_8))).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.GONE);
    assertThat(mail.deadLetters().redrive(id)).isEqualTo(new RedriveResult.NotDead());
    assertThat(mail.deadLetters().delete(id)).isFalse();
    assertThat(job(harness.queues(), id).result()).hasValue("first".getBytes(UTF_8));

    pass(harness, ofMinutes(10));

    assertThat(lease.complete("third".getBytes(UTF_8))).isEqualTo(CompleteResult.GONE);
  }

  @Test
  void complete_resultTooLong_isRefusedAndTheLeaseHolds() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));

    assertThatThrownBy(() -> lease.complete(new byte[(1 << 20) + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("result length in bytes is out of range: value=1048577, least=0, most=1048576");
    assertThat(lease.complete(new byte[1 << 20])).isEqualTo(CompleteResult.COMPLETED);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void retention_deadLetterThatLivesAgain_isLeftAlone(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(ofMinutes(1)));
    JobId redriven = dead(mail, "redriven");
    JobId leased = dead(mail, "leased");
    JobId again = dead(mail, "dead again");
    JobId dead = dead(mail, "dead");
    assertThat(timerCount(harness)).isEqualTo(4);
    mail.deadLetters().redrive(leased).orThrow();
    assertThat(timerCount(harness)).isEqualTo(3);
    claim(mail);
    mail.deadLetters().redrive(again).orThrow();
    pass(harness, ofSeconds(20));
    claim(mail).fail("again", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().redrive(redriven).orThrow();
    assertThat(timerCount(harness)).isEqualTo(2);
    assertClean(harness);

    pass(harness, ofSeconds(59));

    assertThat(harness.queues().get(dead)).isEmpty();
    assertThat(state(harness.queues(), redriven)).isEqualTo(JobState.READY);
    assertThat(job(harness.queues(), leased).attempts()).isLessThanOrEqualTo(1);
    assertThat(state(harness.queues(), again)).isEqualTo(JobState.DEAD);
    assertThat(timerCount(harness)).isEqualTo(1);
    pass(harness, ofSeconds(1));
    assertThat(harness.queues().get(again)).isEmpty();
    assertThat(mail.stats().orElseThrow().total(Total.SWEPT)).isEqualTo(2);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void retention_changedSettings_holdForJobsThatEndFromThenOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId forEver = dead(mail, "for ever");
    mail.configure(settings -> settings.deadRetention(ofMinutes(5)));
    JobId fiveMinutes = dead(mail, "five minutes");
    mail.configure(settings -> settings.deadRetention(ofMinutes(1)));
    JobId oneMinute = dead(mail, "one minute");

    pass(harness, ofMinutes(1));

    assertThat(harness.queues().get(oneMinute)).isEmpty();
    assertThat(harness.queues().get(fiveMinutes)).isPresent();
    pass(harness, ofMinutes(4));
    assertThat(harness.queues().get(fiveMinutes)).isEmpty();
    pass(harness, ofMinutes(1_000));
    assertThat(state(harness.queues(), forEver)).isEqualTo(JobState.DEAD);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.FAULTY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void retention_passesWhileTheEngineIsClosed_isSweptAfterOpening(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(ofMinutes(1)));
    JobId dead = dead(mail, "dead");
    JobId done = enqueue(mail, "done", KEPT);
    claim(mail).complete().orThrow();
    harness.engine().close();
    harness.clock().advanceMs(ofMinutes(10).toMillis());

    harness.restartCleanly();
    harness.awaitNothingDue();

    assertThat(harness.queues().get(dead)).isEmpty();
    assertThat(harness.queues().get(done)).isEmpty();
    assertClean(harness);
  }

  @Test
  void retention_moreThanAStepIsDue_goesOnAtOnceUntilAllAreGone() {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    JobQueue mail = mail(harness);
    for (int i = 0; i < 7; i++) {
      mail.enqueueAll(Collections.nCopies(500, new NewJob(new byte[10], KEPT)));
      harness.queues().completeAll(claim(mail, 500)).forEach(Result::orThrow);
    }
    assertThat(mail.stats().orElseThrow().count(JobState.DONE)).isEqualTo(3_500);
    long before = harness.store().rowsVisited();

    pass(harness, ofMinutes(10));

    await("all are swept", () -> mail.stats().orElseThrow().count(JobState.DONE) == 0);
    assertThat(harness.store().rowsVisited() - before).isLessThan(3 * 3_500);
    assertThat(timerCount(harness)).isZero();
    assertThat(mail.stats().orElseThrow().total(Total.SWEPT)).isEqualTo(3_500);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void timeToLive_passed_dropsOnlyWhatNobodyHasStarted(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    EnqueueOptions minute =
        EnqueueOptions.DEFAULT.timeToLive(ofMinutes(1)).backoff(Backoff.fixed(ofSeconds(90)));
    JobId ready = enqueue(mail, "ready", minute.priority(-1));
    JobId delayed = enqueue(mail, "delayed", minute.delay(ofMinutes(5)));
    JobId moved = enqueue(mail, "moved", minute.priority(-1).delay(ofSeconds(1)));
    JobId leased = enqueue(mail, "leased", minute.leaseDuration(ofMinutes(5)).priority(9));
    claim(mail);
    JobId released = enqueue(mail, "released", minute.priority(8));
    claim(mail).release().orThrow();
    Lease again = claim(mail);
    JobId retried = enqueue(mail, "retried", minute.priority(8));
    claim(mail).fail("later").orThrow();
    JobId snoozed = enqueue(mail, "snoozed", minute.priority(8));
    claim(mail).snooze(ofSeconds(30)).orThrow();
    again.release().orThrow();
    JobId cancelled = enqueue(mail, "cancelled", minute);
    harness.queues().cancelIfWaiting(cancelled).orThrow();
    assertThat(timerCount(harness)).isEqualTo(3);
    pass(harness, ofSeconds(59));
    assertThat(state(harness.queues(), ready)).isEqualTo(JobState.READY);
    assertThat(state(harness.queues(), moved)).isEqualTo(JobState.READY);
    assertClean(harness);

    pass(harness, ofSeconds(1));

    assertThat(harness.queues().get(ready)).isEmpty();
    assertThat(harness.queues().get(delayed)).isEmpty();
    assertThat(harness.queues().get(moved)).isEmpty();
    assertThat(state(harness.queues(), leased)).isEqualTo(JobState.LEASED);
    assertThat(state(harness.queues(), released)).isEqualTo(JobState.READY);
    assertThat(state(harness.queues(), retried)).isEqualTo(JobState.DELAYED);
    assertThat(state(harness.queues(), snoozed)).isEqualTo(JobState.READY);
    assertThat(mail.stats().orElseThrow().total(Total.DROPPED)).isEqualTo(3);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void timeToLive_endsInTheMomentOfAClaim_isNotServed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "late", EnqueueOptions.DEFAULT.timeToLive(ofSeconds(1)));
    harness.clock().advanceMs(1_000);

    assertThat(claim(mail(harness), 1)).isEmpty();
    harness.poke();
    assertThat(mail(harness).stats().orElseThrow().total(Total.DROPPED)).isEqualTo(1);
  }

  @Test
  void timeToLive_leaseWasNeverStored_goesOnAfterTheCrash() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a", EnqueueOptions.DEFAULT.timeToLive(ofMinutes(1)));
    harness.store().holdNextWrite();
    claim(mail);
    harness.store().awaitHeld();
    harness.crash();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertClean(harness);

    pass(harness, ofMinutes(1));

    assertThat(harness.queues().get(id)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void lifecycle_everyWayThatEnds_leavesNoKeyBehind(StoreKind kind) {
    EngineHarness harness = start(kind, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.deadRetention(ofSeconds(5)));
    cycle(harness, mail, 0);
    long rowCount = harness.store().rowCount();
    for (int i = 1; i <= 60; i++) {
      cycle(harness, mail, i);
    }

    assertThat(harness.store().rowCount()).isEqualTo(rowCount);
    assertThat(mail.stats().orElseThrow().counts().values()).containsOnly(0L);
    assertClean(harness);
  }

  /** One job for each way to end that has a time, and that takes a time away. */
  private static void cycle(EngineHarness harness, JobQueue mail, int round) {
    byte[] payload = new byte[round % 2 == 0 ? 20 : 3_000];
    EnqueueOptions options =
        EnqueueOptions.DEFAULT
            .maxAttempts(30)
            .backoff(Backoff.fixed(Duration.ZERO))
            .timeToLive(ofSeconds(5))
            .resultRetention(ofSeconds(5));
    mail.enqueue(payload, options);
    for (int i = 0; i < 20; i++) {
      claim(mail).fail("broken").orThrow();
    }
    claim(mail).complete(payload).orThrow();

    mail.enqueue(payload, options);
    claim(mail).release().orThrow();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();

    JobId redriven = mail.enqueue(payload, options).jobId();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    mail.deadLetters().redrive(redriven).orThrow();
    claim(mail).complete().orThrow();

    JobId deleted = mail.enqueue(payload, options).jobId();
    claim(mail).fail("broken", FailOptions.PERMANENT).orThrow();
    assertThat(mail.deadLetters().delete(deleted)).isTrue();

    JobId cancelled = mail.enqueue(payload, options.delay(ofSeconds(9))).jobId();
    assertThat(harness.queues().cancelIfWaiting(cancelled)).isEqualTo(CancelResult.CANCELLED);
    mail.enqueue(payload, options);
    mail.enqueue(payload, options.delay(ofSeconds(9)));
    pass(harness, ofSeconds(5));
    await("all is swept", () -> mail.stats().orElseThrow().count(JobState.DONE) == 0);
  }

  /** Lets time pass and waits until what fell due has been stored. */
  private static void pass(EngineHarness harness, Duration duration) {
    advance(harness, duration);
    harness.awaitNothingDue();
  }

  private static JobId dead(JobQueue queue, String payload) {
    JobId id = enqueue(queue, payload);
    claim(queue).fail("broken", FailOptions.PERMANENT).orThrow();
    return id;
  }
}

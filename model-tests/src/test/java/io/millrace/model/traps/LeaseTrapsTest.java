package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One holder: a stale token changes nothing, and its owner is told. Terminal is final. */
@Tag("calls")
class LeaseTrapsTest extends TrapTest {

  /** Everything that a holder can do, with the answer to a stale one. */
  enum Act {
    COMPLETE(Lease::complete, CompleteResult.STALE_LEASE, CompleteResult.GONE),
    FAIL(lease -> lease.fail("late"), new FailResult.StaleLease(), new FailResult.Gone()),
    FAIL_FOR_GOOD(
        lease -> lease.fail("late", FailOptions.PERMANENT),
        new FailResult.StaleLease(),
        new FailResult.Gone()),
    RELEASE(Lease::release, ReleaseResult.STALE_LEASE, ReleaseResult.GONE),
    SNOOZE_FOR(lease -> lease.snooze(ofSeconds(5)), ReleaseResult.STALE_LEASE, ReleaseResult.GONE),
    SNOOZE_UNTIL(
        lease -> lease.snooze(Instant.now()), ReleaseResult.STALE_LEASE, ReleaseResult.GONE),
    EXTEND(
        lease -> lease.extend(ofSeconds(60)),
        new ExtendResult.StaleLease(),
        new ExtendResult.Gone()),
    CHECKPOINT(
        lease -> lease.checkpoint("late".getBytes(UTF_8)),
        new ExtendResult.StaleLease(),
        new ExtendResult.Gone());

    final Function<Lease, Object> act;
    final Object whenStale;
    final Object whenGone;

    Act(Function<Lease, Object> act, Object whenStale, Object whenGone) {
      this.act = act;
      this.whenStale = whenStale;
      this.whenGone = whenGone;
    }
  }

  @ParameterizedTest
  @EnumSource(Act.class)
  void staleHolder_jobIsHeldByAnother_changesNothingAndIsTold(Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease stale = claim(mail);
    advance(harness, ofSeconds(31));
    awaitJob(harness, id, JobState.READY, 1);
    Lease current = claim(mail);

    Object answer = act.act.apply(stale);

    assertThat(answer).isEqualTo(act.whenStale);
    assertThat(current.token()).isGreaterThan(stale.token());
    assertThat(current.remaining()).isEqualTo(ofSeconds(30));
    assertThat(current.attempt()).isEqualTo(2);
    assertThat(current.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Act.class)
  void staleHolder_timeHasPassedAndNobodyElseCame_isStaleAllTheSame(Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease stale = claim(mail);
    harness.clock().advanceMs(30_000);

    Object answer = act.act.apply(stale);

    assertThat(answer).isEqualTo(act.whenStale);
    assertThat(stale.remaining()).isZero();
    awaitJob(harness, id, JobState.READY, 1);
    Job job = job(harness.queues(), id);
    assertThat(job.attempts()).isEqualTo(1);
    assertThat(new String(job.payload(), UTF_8)).isEqualTo("a");
  }

  /** What waits in front of it keeps the reaper from coming first. */
  @ParameterizedTest
  @EnumSource(Act.class)
  void staleHolder_timePassedAndTheReaperMayNotComeYet_isStaleAllTheSame(Act act)
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease stale = claim(mail(harness));
    enqueue(mail(harness), "the lease's record is written with it");
    harness.store().holdNextWrite();
    Dropped.result(mail(harness).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();
    Dropped.result(mail(harness).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    harness.clock().advanceMs(30_000);
    CompletableFuture<Object> answer = CompletableFuture.supplyAsync(() -> act.act.apply(stale));
    awaitRingDepth(harness, 2);

    harness.store().letGo();

    assertThat(join(answer)).isEqualTo(act.whenStale);
    awaitJob(harness, id, JobState.READY, 1);
    assertThat(new String(job(harness.queues(), id).payload(), UTF_8)).isEqualTo("a");
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Act.class)
  void holderOfAJobThatIsGone_changesNothingAndIsTold(Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = claim(mail);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);

    Object answer = act.act.apply(lease);

    assertThat(answer).isEqualTo(act.whenGone);
    assertThat(harness.queues().get(id)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(Act.class)
  void staleHolder_jobIsDead_changesNothingAndIsTold(Act act) {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = claim(mail);
    lease.fail("broken", FailOptions.PERMANENT).orThrow();

    Object answer = act.act.apply(lease);

    assertThat(answer).isEqualTo(act.whenStale);
    assertThat(job(harness.queues(), id).lastError()).contains("broken");
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DEAD);
  }

  @ParameterizedTest
  @EachStoreKind
  void reaper_jobWasCompleted_doesNotReviveIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    claim(mail).complete().orThrow();

    advance(harness, ofSeconds(31));
    harness.crash();

    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(claim(mail(harness), 10)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void reaper_leaseExpiredAndNobodyAsks_makesTheJobReady(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    claim(mail);

    harness.clock().advanceMs(30_001);

    awaitJob(harness, id, JobState.READY, 1);
    assertThat(claim(mail).attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EachStoreKind
  void complete_afterExtendAndCheckpoint_removesThisJobAndNoOther(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    JobId other = enqueue(mail, "b");
    long rowCount = harness.store().rowCount();
    JobId id = enqueue(mail, "c");
    claim(mail).release().orThrow();
    List<Lease> leases = claim(mail, 3);
    Lease last = leases.get(2);

    assertThat(last.extend(ofHours(2))).isEqualTo(new ExtendResult.Extended(ofHours(2)));
    last.checkpoint("c".repeat(5_000).getBytes(UTF_8)).orThrow();
    assertThat(last.complete()).isEqualTo(CompleteResult.COMPLETED);
    leases.subList(0, 2).forEach(lease -> lease.release().orThrow());

    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(state(harness.queues(), other)).isEqualTo(JobState.READY);
    assertThat(harness.store().rowCount()).isEqualTo(rowCount);
    assertClean(harness);
  }

  @Test
  void fail_oneOfMany_touchesNoOther() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    for (String payload : List.of("a", "b", "c")) {
      enqueue(mail, payload);
    }
    Lease second = claim(mail, 2).get(1);

    second.fail("broken").orThrow();

    assertThat(peek(mail, JobState.READY)).containsExactly("c");
    assertThat(peek(mail, JobState.DELAYED)).containsExactly("b");
    assertThat(peek(mail, JobState.LEASED)).containsExactly("a");
  }

  @Test
  void extend_shorterThanWhatIsLeft_neverShortens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease lease = claim(mail);

    ExtendResult result = lease.extend(ofSeconds(1));

    assertThat(result).isEqualTo(new ExtendResult.Extended(ofSeconds(30)));
    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
  }

  @Test
  void extend_beforeTheEnd_keepsTheJobFromOthersUntilTheNewEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = claim(mail);
    advance(harness, ofSeconds(20));

    ExtendResult result = lease.extend(ofSeconds(30));

    assertThat(result).isEqualTo(new ExtendResult.Extended(ofSeconds(30)));
    advance(harness, ofMillis(29_999));
    assertThat(claim(mail, 1)).isEmpty();
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.LEASED);
    advance(harness, ofMillis(2));
    awaitJob(harness, id, JobState.READY, 1);
    assertThat(claim(mail).attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EachStoreKind
  void extend_noLongerThanGranted_writesNothing(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    long before = harness.store().lastCommit();

    for (int i = 0; i < 5; i++) {
      advance(harness, ofSeconds(20));
      assertThat(lease.extend(ofSeconds(30))).isEqualTo(new ExtendResult.Extended(ofSeconds(30)));
    }
    pokeTwice(harness);

    assertThat(harness.store().lastCommit()).isEqualTo(before);
    lease.extend(ofSeconds(31)).orThrow();
    pokeTwice(harness);
    assertThat(harness.store().lastCommit()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EachStoreKind
  void reaper_leaseExpired_jobGoesBehindThoseThatCameMeanwhile(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "first");
    claim(mail);
    enqueue(mail, "meanwhile");

    advance(harness, LEASE_OVER);
    awaitJob(harness, id, JobState.READY, 1);
    enqueue(mail, "afterwards");

    assertThat(payloads(claim(mail, 10))).containsExactly("meanwhile", "first", "afterwards");
  }

  @ParameterizedTest
  @EachStoreKind
  void checkpoint_thenCrash_retryStartsFromIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "start");
    Lease lease = claim(mail(harness));
    advance(harness, ofSeconds(20));

    ExtendResult result = lease.checkpoint("half way".getBytes(UTF_8));
    harness.crash();

    assertThat(result).isEqualTo(new ExtendResult.Extended(ofSeconds(30)));
    Lease retried = claim(mail(harness));
    assertThat(payload(retried)).isEqualTo("start");
    assertThat(retried.checkpointed()).contains("half way".getBytes(UTF_8));
  }

  @Test
  void cancel_duringTheRun_isRefusedAndTheHolderGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = claim(mail);

    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.RUNNING);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.GONE);
  }

  @Test
  void close_unfinishedLease_failsItAndFinishedOneDoesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    try (Lease lease = claim(mail)) {
      assertThat(lease.attempt()).isEqualTo(1);
    }
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.DELAYED);
    assertThat(job(harness.queues(), id).lastError()).contains("closed without an outcome");
    advance(harness, ofSeconds(10));

    Lease released = claim(mail);
    released.release().orThrow();
    released.close();
    released.close();

    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertThat(job(harness.queues(), id).attempts()).isEqualTo(1);
  }

  @ParameterizedTest
  @EachStoreKind
  void token_overRestartsOfEveryKind_neverRepeats(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "a");
    long newest = 0;
    for (int i = 0; i < 6; i++) {
      Lease lease = claim(mail(harness));
      assertThat(lease.token()).isGreaterThan(newest);
      newest = lease.token();
      if (i % 2 == 0) {
        harness.restartCleanly();
      } else {
        lease.release().orThrow();
        harness.crash();
      }
    }
  }

  @Test
  void claim_waitsForItsCommitLongerThanTheLease_holderGetsTheWholeLease()
      throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withClaimsAnswer(ClaimsAnswer.AFTER_COMMIT));
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    harness.store().holdNextWrite();
    CompletableFuture<List<Lease>> claim =
        mail.claimAsync(ClaimOptions.by("worker").leaseDuration(ofSeconds(5)));
    harness.store().awaitHeld();

    harness.clock().advanceMs(60_000);
    harness.store().letGo();
    Lease lease = join(claim).get(0);

    assertThat(lease.remaining()).isEqualTo(ofSeconds(5));
    harness.clock().advanceMs(4_999);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void complete_commitIsSlow_isJudgedByTheTimeOfItsSubmission() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease lease = claim(mail);
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker = mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();

    CompletableFuture<CompleteResult> complete = lease.completeAsync();
    harness.clock().advanceMs(Duration.ofDays(1).toMillis());
    harness.store().letGo();

    assertThat(join(complete)).isEqualTo(CompleteResult.COMPLETED);
    join(blocker);
  }

  @Test
  void claim_leaseDurations_theClaimsIsBeforeTheJobsAndThatBeforeTheQueues() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.configure(settings -> settings.leaseDuration(ofSeconds(20)));
    enqueue(mail, "own", EnqueueOptions.DEFAULT.leaseDuration(ofSeconds(10)));
    enqueue(mail, "silent");

    List<Lease> leases = claim(mail, 2);
    assertThat(leases).extracting(Lease::remaining).containsExactly(ofSeconds(10), ofSeconds(20));
    leases.get(0).release().orThrow();

    assertThat(mail.claim("worker", ofSeconds(5)).orElseThrow().remaining())
        .isEqualTo(ofSeconds(5));
  }

  @Test
  void remaining_clockMoves_runsDownToZero() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    enqueue(mail, "a");
    Lease lease = mail.claim("worker", ofMillis(100)).orElseThrow();

    harness.clock().advanceMs(99);
    assertThat(lease.remaining()).isEqualTo(ofMillis(1));
    harness.clock().advanceMs(1);
    assertThat(lease.remaining()).isZero();
    harness.clock().advanceMs(1);
    assertThat(lease.remaining()).isZero();
  }
}

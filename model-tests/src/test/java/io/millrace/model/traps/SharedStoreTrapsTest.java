package io.millrace.model.traps;

import static io.millrace.model.traps.SharedStoreRig.claim;
import static io.millrace.model.traps.SharedStoreRig.claimed;
import static io.millrace.model.traps.SharedStoreRig.enqueue;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.testkit.shared.CutPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An engine on a store that another owner may take over at any moment: no answer rests on having
 * owned it once.
 */
@Timeout(60)
@Tag("slow")
class SharedStoreTrapsTest {

  private static final int ROUND_COUNT = 400;
  private static final long ROUND_MS = 100;

  private final SharedStoreRig rig = new SharedStoreRig();
  private final JobEngine engine = rig.first.open();
  private final JobQueue mail = engine.queue("mail");

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void claim_afterATakeOver_grantsNothing() {
    enqueue(mail, "job");
    JobEngine other = rig.second.takeOver();
    Lease lease = claim(other.queue("mail"));

    assertNotOwner(() -> claimed(mail));

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void claim_grantedBeforeATakeOver_isStored() {
    enqueue(mail, "job");
    claim(mail);

    JobEngine other = rig.second.takeOver();

    assertThat(claimed(other.queue("mail"))).isEmpty();
    assertThat(count(other, JobState.LEASED)).isEqualTo(1);
  }

  @Test
  void extend_ofAnOwner_isConfirmedByACommit() {
    enqueue(mail, "job");
    Lease lease = claim(mail);
    long before = rig.commit();

    ExtendResult result = lease.extend(ofSeconds(10));

    assertThat(result).isInstanceOf(ExtendResult.Extended.class);
    assertThat(rig.commit()).isEqualTo(before + 1);
  }

  @Test
  void extend_afterAnotherWorkerHasTheJob_isNotConfirmed() {
    enqueue(mail, "job");
    Lease old = claim(mail);
    JobEngine other = rig.second.takeOver();
    rig.second.clock.advanceMs(30_001);
    rig.second.clock.awaitSleeper();
    Lease current = claim(other.queue("mail"));
    assertThat(current.token()).isGreaterThan(old.token());

    assertNotOwner(() -> old.extend(ofSeconds(10)));

    assertThat(current.complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void complete_ofALeaseThatMemoryKnowsToBeStale_isConfirmedByACommit() {
    enqueue(mail, "job");
    Lease stale = claim(mail);
    stale.release().orThrow();
    claim(mail);
    long before = rig.commit();

    assertThat(stale.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(rig.commit()).isEqualTo(before + 1);

    rig.second.takeOver();
    assertNotOwner(stale::complete);
  }

  @Test
  void cancel_ofAJobThatMemoryKnowsNot_isConfirmedByACommit() {
    enqueue(mail, "job");
    JobId done = claim(mail).jobId();
    JobId gone = goneOf(done);
    long before = rig.commit();

    assertThat(engine.cancel(gone)).isEqualTo(CancelResult.GONE);
    assertThat(rig.commit()).isEqualTo(before + 1);

    rig.second.takeOver();
    assertNotOwner(() -> engine.cancel(gone));
  }

  private JobId goneOf(JobId leased) {
    enqueue(mail, "gone");
    Lease lease = claim(mail);
    lease.complete().orThrow();
    assertThat(lease.jobId()).isNotEqualTo(leased);
    return lease.jobId();
  }

  @Test
  void claim_nothingIsThere_needsNoCommit() {
    enqueue(engine.queue("news"), "other");
    long before = rig.commit();

    assertThat(claimed(mail)).isEmpty();
    assertThat(claimed(mail)).isEmpty();

    assertThat(rig.commit()).isEqualTo(before);
  }

  @Test
  void anyCall_afterATakeOver_saysWhoHasTheStoreAndNothingHalf() throws Exception {
    LinkedBlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
    engine.close();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void ownershipLost(Throwable cause) {
            lost.add(cause);
          }
        };
    JobEngine losing = rig.first.open(rig.first.options().listener(listener));
    JobQueue queue = losing.queue("mail");
    enqueue(queue, "job");
    Lease lease = claim(queue);
    CompletableFuture<List<Lease>> parked =
        queue.claimAsync(ClaimOptions.by("waiting").waiting(ofSeconds(60)));
    enqueue(losing.queue("news"), "so that the claim waits");
    JobEngine other = rig.second.takeOver();

    CompletableFuture<?> completed = lease.completeAsync();
    CompletableFuture<?> enqueued = queue.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);

    assertFailsAsNotOwner(completed);
    assertFailsAsNotOwner(enqueued);
    assertFailsAsNotOwner(parked);
    assertNotOwner(() -> enqueue(queue, "later"));
    assertThat(losing.health().status()).isEqualTo(Status.NOT_OWNER);
    assertThat(losing.health().reason()).contains("another owner has the store");
    assertThat(lost.poll(20, TimeUnit.SECONDS)).isNotNull();
    assertThatThrownBy(losing::reopen)
        .isInstanceOf(StoreLockedException.class)
        .hasMessageContaining("freeIn=");
    losing.close();
    assertThat(losing.health().status()).isEqualTo(Status.CLOSED);
    // Of all that was asked for nothing happened.
    assertThat(count(other, JobState.LEASED)).isEqualTo(1);
    assertThat(count(other, JobState.READY)).isZero();
    assertThat(other.verify().isClean()).isTrue();
  }

  @Test
  void close_ofTheOwner_leavesTheLeasesToTheirHolders() {
    enqueue(mail, "job");
    claim(mail);

    engine.close();
    JobEngine other = rig.second.open();

    assertThat(claimed(other.queue("mail"))).isEmpty();
    assertThat(count(other, JobState.LEASED)).isEqualTo(1);
    rig.second.clock.advanceMs(30_001);
    rig.second.clock.awaitSleeper();
    assertThat(claim(other.queue("mail")).attempt()).isEqualTo(2);
  }

  @Test
  void close_afterATakeOver_isQuiet() {
    enqueue(mail, "job");
    JobEngine other = rig.second.takeOver();

    engine.close();

    assertThat(claim(other.queue("mail")).complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void reopen_nobodyCameMeanwhile_leasesGoOn() {
    enqueue(mail, "job");
    Lease lease = claim(mail);
    rig.first.link.cutOffAt(CutPoint.AFTER_WRITE);
    assertThatThrownBy(() -> enqueue(mail, "unknown")).isInstanceOf(OutcomeUnknownException.class);
    rig.first.link.heal();

    engine.reopen();

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(claimed(mail)).as("what was unknown had happened").hasSize(1);
  }

  @Test
  void reopen_anotherHadTheStoreMeanwhile_itsLeasesCountAndOursAreHistory() {
    enqueue(mail, "job");
    Lease old = claim(mail);
    JobEngine other = rig.second.takeOver();
    rig.second.clock.advanceMs(30_001);
    rig.second.clock.awaitSleeper();
    claim(other.queue("mail"));
    assertNotOwner(() -> old.extend(ofSeconds(1)));
    other.close();

    engine.reopen();

    assertThat(engine.health().status()).isEqualTo(Status.UP);
    assertThat(old.complete()).isEqualTo(CompleteResult.STALE_LEASE);
    assertThat(count(engine, JobState.LEASED)).isEqualTo(1);
    assertThat(engine.verify().isClean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEFORE_WRITE", "AFTER_WRITE"})
  void enqueue_connectionBreaks_happensOnce(String point) {
    rig.first.link.breakAt(CutPoint.valueOf(point));

    enqueue(mail, "once");

    assertThat(count(engine, JobState.READY)).isEqualTo(1);
    assertThat(engine.health().status()).isEqualTo(Status.UP);
  }

  @Test
  void claim_takenOverWhileItsCommitIsUnderWay_isNotGranted() {
    enqueue(mail, "job");
    List<JobEngine> other = new ArrayList<>();
    rig.first.link.runAt(CutPoint.BEFORE_WRITE, () -> other.add(rig.second.takeOver()));

    assertNotOwner(() -> claimed(mail));

    assertThat(claim(other.get(0).queue("mail")).complete()).isEqualTo(CompleteResult.COMPLETED);
  }

  @Test
  void write_durabilitiesOfTheGroup_areSaidWithTheBatch() {
    enqueue(mail, "synced");
    assertThat(rig.database.syncedCommit()).isEqualTo(rig.commit());

    enqueue(mail.with(Durability.BUFFERED), "buffered");
    assertThat(rig.database.syncedCommit()).isEqualTo(rig.commit() - 1);

    enqueue(mail, "synced again");
    assertThat(rig.database.syncedCommit()).isEqualTo(rig.commit());
    assertThat(rig.first.link.count(CutPoint.BEFORE_SYNC))
        .as("writes are as durable as they ask to be")
        .isZero();
  }

  @Test
  void write_buffered_isSyncedAfterTheInterval() {
    enqueue(mail.with(Durability.BUFFERED), "buffered");

    rig.first.clock.advanceMs(51);
    rig.first.clock.awaitSleeper();

    assertThat(rig.database.syncedCommit()).isEqualTo(rig.commit());
  }

  @Test
  void groups_thatWriteNothingAndNeverEnd_keepTheStore() throws Exception {
    engine.close();
    AtomicLong elapsedMs = new AtomicLong();
    JobEngine busy = rig.first.open(rig.first.options().clock(ticking(elapsedMs)));
    JobQueue queue = busy.queue("mail");
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    rig.first.link.runAt(
        CutPoint.BEFORE_READ,
        () -> {
          isHeld.countDown();
          awaitUninterruptibly(letGo);
        });
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    // It needs its queue's rows: the loop is held while the others queue up behind it.
    claims.add(queue.claimAsync(ClaimOptions.by("worker")));
    isHeld.await();
    for (int i = 0; i < ROUND_COUNT; i++) {
      claims.add(queue.claimAsync(ClaimOptions.by("worker").max(1_000)));
    }
    long before = rig.first.link.count(CutPoint.BEFORE_SETTLE);
    long beforeMs = elapsedMs.get();

    AtomicLong settledWhenDone = new AtomicLong();
    CompletableFuture<?> last = claims.get(ROUND_COUNT);
    CompletableFuture<?> noted =
        last.thenRun(
            () -> settledWhenDone.set(rig.first.link.count(CutPoint.BEFORE_SETTLE) - before));
    letGo.countDown();
    noted.get(30, TimeUnit.SECONDS);

    long seconds = (elapsedMs.get() - beforeMs) / 1_000;
    assertThat(seconds).as("the groups took so long").isGreaterThan(2);
    assertThat(settledWhenDone.get()).isGreaterThanOrEqualTo(seconds);
  }

  /** A clock that goes on with each look of the loop. */
  private static EngineClock ticking(AtomicLong elapsedMs) {
    return new EngineClock() {
      @Override
      public long epochMs() {
        return 1_700_000_000_000L + elapsedMs.addAndGet(ROUND_MS);
      }

      @Override
      public long monotonicNs() {
        return elapsedMs.get() * 1_000_000;
      }

      @Override
      public void parkNs(long durationNs) {
        EngineClock.SYSTEM.parkNs(Math.min(durationNs, 1_000_000));
      }
    };
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void open_optionsThatDoNotFit_areRefusedAndTheStoreIsFree() {
    engine.close();
    EngineOptions options = rig.first.options();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.first.open(options.leasesAtOpen(LeasesAtOpen.RECLAIM)))
        .withMessage(
            "leasesAtOpen does not fit a store that several owners share: value=RECLAIM,"
                + " needed=HONOUR; leave it out");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.first.open(options.claimsAnswer(ClaimsAnswer.BEFORE_COMMIT)))
        .withMessageStartingWith("claimsAnswer does not fit");

    rig.second.open(options.leasesAtOpen(LeasesAtOpen.HONOUR));
  }

  @Test
  void open_takenOverMeanwhile_isNoOwner() {
    engine.close();
    rig.first.link.runAt(CutPoint.BEFORE_WRITE, () -> rig.second.takeOver());

    assertThatExceptionOfType(NotOwnerException.class).isThrownBy(rig.first::open);
  }

  private static long count(JobEngine engine, JobState state) {
    return engine.queue("mail").stats().orElseThrow().count(state);
  }

  private static void assertNotOwner(ThrowingCallable call) {
    assertThatExceptionOfType(NotOwnerException.class)
        .isThrownBy(call)
        .withMessageContaining("nothing happened");
  }

  private static void assertFailsAsNotOwner(CompletableFuture<?> future) {
    assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(NotOwnerException.class);
  }
}

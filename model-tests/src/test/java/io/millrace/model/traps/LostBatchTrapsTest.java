package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.ClaimsAnswer;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A batch that the store refuses or loses leaves nothing of itself in memory or in an answer. */
@InProcess("what a store's faults do, whoever calls")
class LostBatchTrapsTest extends TrapTest {

  private static final Setup CLAIMS_WAIT =
      Setup.DEFAULT.withClaimsAnswer(ClaimsAnswer.AFTER_COMMIT);

  @Test
  void full_toTheLast_refusedExtendMovesNoEnd() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    harness.machine().room(Room.FOR_NONE);

    assertThatThrownBy(() -> lease.extend(ofMinutes(9))).isInstanceOf(StoreFullException.class);

    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    assertThat(lease.extend(ofMinutes(9)))
        .isEqualTo(new ExtendResult.Extended(ofMinutes(9), false));
    assertClean(harness);
  }

  @Test
  void full_toTheLast_extendBehindARefusedCompleteIsNotToldThatTheJobIsGone()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    CompletableFuture<?> blocker = holdWrite(harness);
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<CompleteResult> complete = lease.completeAsync();
    CompletableFuture<ExtendResult> extend = lease.extendAsync(ofSeconds(5));
    harness.store().letGo();

    assertThatThrownBy(() -> join(blocker)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(complete)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(extend)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void full_toTheLast_extendOfManyThatIsRefusedMovesNoEnd() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "ends");
    enqueue(mail(harness), "goes on");
    List<Lease> leases = claim(mail(harness), 2);
    harness.clock().advanceMs(10_000);
    CompletableFuture<?> blocker = holdWrite(harness);
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<CompleteResult> complete = leases.get(0).completeAsync();
    CompletableFuture<?> extend = harness.queues().extendAllAsync(leases, ofSeconds(25));
    harness.store().letGo();

    assertThatThrownBy(() -> join(blocker)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(complete)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(extend)).isInstanceOf(StoreFullException.class);
    assertThat(leases.get(1).remaining()).isEqualTo(ofSeconds(20));
    harness.machine().room(Room.FOR_ALL);
    assertClean(harness);
  }

  @Test
  void full_toTheLast_claimBehindARefusedClaimIsNotToldThatThereIsNothing()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY, CLAIMS_WAIT);
    enqueue(mail(harness), "job");
    CompletableFuture<?> blocker = holdWrite(harness);
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<List<Lease>> first = mail(harness).claimAsync(ClaimOptions.by("a"));
    CompletableFuture<List<Lease>> second = mail(harness).claimAsync(ClaimOptions.by("b"));
    harness.store().letGo();

    assertThatThrownBy(() -> join(blocker)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(first)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(second)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    assertThat(payloads(claim(mail(harness), 5))).containsExactly("job");
    assertClean(harness);
  }

  @Test
  void full_toTheLastWhileAJobIsReleasedAndClaimedAgain_itIsHeldByOne()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue other = harness.queues().queue("other");
    enqueue(other, "other");
    Lease blocker = claim(other);
    enqueue(mail(harness), "job");
    harness.machine().room(Room.FOR_NONE);
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.machine().room(Room.FOR_ALL);
    harness.store().holdNextWrite();
    CompletableFuture<?> first = blocker.extendAsync(ofMinutes(1));
    harness.store().awaitHeld();

    CompletableFuture<?> release = lease.releaseAsync();
    CompletableFuture<List<Lease>> claim = mail(harness).claimAsync(ClaimOptions.by("next"));
    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    harness.machine().room(Room.FOR_NONE);
    harness.store().letGo();

    join(first);
    assertThatThrownBy(() -> join(release)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(claim)).isInstanceOf(StoreFullException.class);
    harness.machine().room(Room.FOR_ALL);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_failsWhileALeaseNobodyWasToldOfIsHandedBack_nextOneHandsItBack() {
    EngineHarness harness = start(StoreKind.FAULTY, CLAIMS_WAIT);
    JobQueue mail = mail(harness);
    enqueue(mail, "job", EnqueueOptions.DEFAULT.maxAttempts(1));
    harness.machine().failNext(StoreCall.SYNC, Fault.AFTER);
    assertThatThrownBy(() -> claim(mail)).isInstanceOf(OutcomeUnknownException.class);
    long handBack = harness.machine().callCount(StoreCall.WRITE) + 1;
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, handBack, Fault.BEFORE));
    assertThatThrownBy(() -> harness.engine().reopen()).isInstanceOf(StoreFailedException.class);

    harness.engine().reopen();

    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isZero();
    Lease lease = claim(mail);
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_leaseInNoBatchAndTheNextBatchOfUnknownOutcome_isCountedOnce() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    enqueue(mail, "job");
    Lease lease = claimInALostBatch(harness);
    long afterOpening = harness.machine().callCount(StoreCall.WRITE) + 1;
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, afterOpening, Fault.AFTER));
    harness.engine().reopen();
    await("the lease is written", () -> harness.engine().poison().isPresent());

    harness.engine().reopen();

    enqueue(mail, "flush");
    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(1);
    assertThat(mail.stats().orElseThrow().total(Total.CLAIMED)).isEqualTo(1);
    assertClean(harness);
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_leaseInNoBatch_lastsItsFullDurationAgain() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    Lease lease = claimInALostBatch(harness);
    harness.clock().advanceMs(10_000);

    harness.engine().reopen();

    assertThat(lease.remaining()).isEqualTo(ofSeconds(30));
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @Test
  void reopen_batchThatDeletedTheQueueIsLost_leaseGivenInItHolds() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    enqueue(mail, "job");
    CompletableFuture<?> blocker = holdWrite(harness);
    CompletableFuture<List<Lease>> claim = mail.claimAsync(ClaimOptions.by("worker"));
    CompletableFuture<Boolean> delete = CompletableFuture.supplyAsync(mail::delete);
    await("both wait", () -> harness.engine().metrics().ringDepth() == 2);
    long group = harness.machine().callCount(StoreCall.WRITE) + 1;
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, group, Fault.BEFORE));
    harness.store().letGo();
    join(blocker);
    Lease lease = join(claim).get(0);
    assertThatThrownBy(() -> join(delete)).isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(mail.claim(ClaimOptions.by("another"))).isEmpty();
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  /** Holds the engine in a write of another queue, so that what is asked next shares one batch. */
  private static CompletableFuture<?> holdWrite(EngineHarness harness) throws InterruptedException {
    harness.store().holdNextWrite();
    CompletableFuture<?> blocker =
        harness
            .queues()
            .queue("other")
            .enqueueAsync("blocker".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    return blocker;
  }

  /** A lease whose holder is told before its batch fails. */
  private static Lease claimInALostBatch(EngineHarness harness) {
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    Lease lease = claim(mail(harness));
    harness.clock().advanceMs(5);
    await("the write fails", () -> harness.engine().poison().isPresent());
    return lease;
  }
}

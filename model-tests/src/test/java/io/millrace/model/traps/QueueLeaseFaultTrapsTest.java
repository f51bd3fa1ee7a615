package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.Lease;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueClaimResult;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueLease;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases on queues when batches are taken back, callers give up, and the loop was away. */
@Tag("calls")
class QueueLeaseFaultTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final byte[] PAYLOAD = "later".getBytes(UTF_8);

  private static EngineOptions withStalls(ManualClock clock) {
    return Setup.DEFAULT.options(clock).stallThreshold(ofMillis(250));
  }

  private static CompletableFuture<Enqueued> holdWrite(EngineHarness harness)
      throws InterruptedException {
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> blocker =
        harness.queues().queue("other").enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    return blocker;
  }

  /** Calls it on a thread of its own, and waits until the request is in the ring. */
  private static Thread call(EngineHarness harness, int depthThen, Runnable runnable) {
    Thread caller = new Thread(runnable, "caller");
    caller.setDaemon(true);
    caller.start();
    awaitRingDepth(harness, depthThen);
    return caller;
  }

  private static CompletableFuture<Enqueued> enqueueLater(EngineHarness harness) {
    return mail(harness).enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
  }

  @Test
  void full_toTheLast_refusedCloseEndsNothing() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "done");
    enqueue(mail(harness), "job");
    Lease done = claim(mail(harness));
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    CompletableFuture<List<Lease>> waiting = QueueLeaseTrapsTest.waiting(harness, MAIL);
    harness.poke();
    CompletableFuture<Enqueued> blocker = holdWrite(harness);
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<?> complete = done.completeAsync();
    Thread closing = call(harness, 2, lease::close);
    harness.store().letGo();
    closing.join();

    assertThatThrownBy(() -> join(blocker)).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> join(complete)).isInstanceOf(StoreFullException.class);
    assertNotAnswered(harness, waiting);
    assertThat(harness.queues().admin().queueLeases()).hasSize(1);
    harness.machine().room(Room.FOR_ALL);
    assertThat(lease.claim(1, ZERO).isDone()).isTrue();
    lease.close();
    assertThat(harness.queues().admin().queueLeases()).isEmpty();
  }

  @Test
  void full_closeInABatchThatIsMadeAnew_servesThoseWhoWait() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    CompletableFuture<List<Lease>> waiting = QueueLeaseTrapsTest.waiting(harness, MAIL);
    harness.poke();
    CompletableFuture<Enqueued> blocker = holdWrite(harness);

    CompletableFuture<Enqueued> refused = enqueueLater(harness);
    Thread closing = call(harness, 2, lease::close);
    harness.machine().room(Room.FOR_RESERVE_USERS);
    harness.store().letGo();
    closing.join();

    assertThatThrownBy(() -> join(refused)).isInstanceOf(StoreFullException.class);
    assertThat(catchThrowable(() -> join(blocker))).isInstanceOf(StoreFullException.class);
    assertThat(payloads(join(waiting))).containsExactly("job");
    assertThat(harness.queues().admin().queueLeases()).isEmpty();
  }

  @Test
  void full_toTheLast_refusedExtendMovesNoEnd() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "done");
    Lease done = claim(mail(harness));
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    holdWrite(harness);
    harness.machine().room(Room.FOR_NONE);

    CompletableFuture<?> complete = done.completeAsync();
    Thread extending = call(harness, 2, () -> extendInVain(lease));
    harness.store().letGo();
    extending.join();

    assertThatThrownBy(() -> join(complete)).isInstanceOf(StoreFullException.class);
    assertThat(lease.remaining()).isEqualTo(ofSeconds(5));
    harness.machine().room(Room.FOR_ALL);
  }

  private static void extendInVain(QueueLease lease) {
    assertThatThrownBy(() -> lease.extend(ofMinutes(9))).isInstanceOf(StoreFullException.class);
  }

  @Test
  void leaseQueue_callerGivesUpWhileItIsGranted_queueIsFreeAtOnce() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    CompletableFuture<Enqueued> blocker = holdWrite(harness);
    CompletableFuture<Enqueued> sameGroup =
        harness.queues().queue("other").enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT);
    Throwable[] told = new Throwable[1];
    Thread caller =
        call(
            harness,
            2,
            () -> told[0] = catchThrowable(() -> harness.queues().leaseQueue(MAIL, "gone")));
    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();

    caller.interrupt();
    caller.join();
    harness.store().letGo();
    join(blocker);
    join(sameGroup);
    harness.awaitNothingDue();

    assertThat(told[0]).isInstanceOf(OutcomeUnknownException.class);
    await("nobody has the queue", () -> harness.queues().admin().queueLeases().isEmpty());
    assertThat(payloads(claim(mail(harness), 1))).containsExactly("job");
  }

  @Test
  void claim_throughTheLeaseIsGivenUp_leavesNothingBehind() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").waiting(ofMinutes(1)));
    own.cancel(true);
    enqueue(mail(harness), "job");
    harness.poke();

    assertThat(harness.engine().metrics().parkedClaimCount()).isZero();
    assertThat(QueueLeaseTrapsTest.claimed(lease).get(0).attempt()).isEqualTo(1);
  }

  @Test
  void claim_madeInTimeAndTakenUpLate_isServed() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "job");
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    advance(harness, ofMillis(4_900));
    holdWrite(harness);

    CompletableFuture<QueueClaimResult> own = lease.claimAsync(ClaimOptions.by("holder"));
    CompletableFuture<List<Lease>> other = mail(harness).claimAsync(ClaimOptions.by("other"));
    harness.clock().advanceMs(200);
    CompletableFuture<QueueClaimResult> late = lease.claimAsync(ClaimOptions.by("holder"));
    harness.store().letGo();

    assertThat(payloads(join(own).orThrow())).containsExactly("job");
    assertThat(join(other)).isEmpty();
    assertThat(join(late)).isEqualTo(new QueueClaimResult.StaleLease());
  }

  @InProcess("what is left of a lease is told with the answers of a server")
  @Test
  void claim_waitsAndTheLeaseIsExtendedInTimeButLate_isServed() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    CompletableFuture<QueueClaimResult> own =
        lease.claimAsync(ClaimOptions.by("holder").waiting(ofMinutes(1)));
    advance(harness, ofMillis(4_900));
    holdWrite(harness);

    CompletableFuture<Enqueued> job = enqueueLater(harness);
    QueueExtendResult[] extended = new QueueExtendResult[1];
    Thread extending = call(harness, 2, () -> extended[0] = lease.extend(ofSeconds(5)));
    harness.clock().advanceMs(200);
    harness.store().letGo();
    extending.join();

    assertThat(join(job).jobId()).isNotNull();
    assertThat(payloads(join(own).orThrow())).containsExactly("later");
    assertThat(extended[0]).isEqualTo(new QueueExtendResult.Extended(ofSeconds(5)));
    assertThat(lease.remaining()).isEqualTo(ofMillis(4_800));
  }

  @InProcess("what is left of a lease is told with the answers of a server")
  @Test
  void stall_whileAQueueIsLeased_isNotCounted() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, QueueLeaseFaultTrapsTest::withStalls);
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    CompletableFuture<Enqueued> blocker = holdWrite(harness);

    harness.clock().advanceMs(60_000);
    harness.store().letGo();
    join(blocker);

    assertThat(lease.claim(1, ZERO).isDone()).isTrue();
    assertThat(lease.remaining()).isEqualTo(ofSeconds(5));
  }

  @Test
  void stall_withEveryWrite_leaseLastsAtMostTwiceItsLengthAndOneStall()
      throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY, QueueLeaseFaultTrapsTest::withStalls);
    QueueLease lease = harness.queues().leaseQueue(MAIL, "holder", ofSeconds(1)).orThrow();
    holdWrite(harness);

    for (int elapsedMs = 0; elapsedMs <= 2_300; elapsedMs += 300) {
      harness.clock().advanceMs(300);
      Dropped.result(harness.queues().queue("other").enqueueAsync(PAYLOAD, EnqueueOptions.DEFAULT));
      harness.store().letGoUntilWrite();
      harness.store().awaitHeld();
    }
    harness.store().letGo();
    harness.poke();

    assertThat(lease.claim(1, ZERO)).isEqualTo(new QueueClaimResult.StaleLease());
  }

  @InProcess("what is left of a lease is told with the answers of a server")
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void reopen_leasedQueue_isLeasedForTheFullTimeAgain(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    QueueLease lease = QueueLeaseTrapsTest.lease(harness);
    advance(harness, ofSeconds(3));
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> enqueue(mail(harness), "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(lease.remaining()).isEqualTo(ofSeconds(5));
    assertThat(claim(mail(harness), 9)).isEmpty();
    assertThat(payloads(QueueLeaseTrapsTest.claimed(lease))).startsWith("job");
    advance(harness, ofSeconds(5));
    assertThat(lease.claim(1, ZERO).isDone()).isFalse();
    assertClean(harness);
  }

  @Test
  void reopen_grantedInABatchOfUnknownOutcome_nobodyHasTheQueue() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    CompletableFuture<Enqueued> blocker = holdWrite(harness);
    CompletableFuture<Enqueued> sameGroup = enqueueLater(harness);
    Throwable[] told = new Throwable[1];
    Thread caller =
        call(
            harness,
            2,
            () -> told[0] = catchThrowable(() -> harness.queues().leaseQueue(MAIL, "gone")));
    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    harness.machine().failNext(StoreCall.WRITE, Fault.AFTER);
    harness.store().letGo();
    caller.join();

    harness.engine().reopen();

    assertThat(join(blocker).jobId()).isNotNull();
    assertThat(catchThrowable(() -> join(sameGroup))).isInstanceOf(OutcomeUnknownException.class);
    assertThat(told[0]).isInstanceOf(OutcomeUnknownException.class);
    await("nobody has the queue", () -> harness.queues().admin().queueLeases().isEmpty());
    assertThat(payloads(claim(mail(harness), 1))).containsExactly("job");
  }

  @Test
  void takeOver_leasesOfTheOwnerBefore_areHistory() {
    try (SharedStoreRig rig = new SharedStoreRig()) {
      JobEngine first = rig.first.open();
      SharedStoreRig.enqueue(first.queue(MAIL), "job");
      QueueLease lease = first.leaseQueue(MAIL, "holder", ofMinutes(60)).orThrow();
      JobEngine second = rig.second.takeOver();

      Throwable late = catchThrowable(() -> lease.claim(1, ZERO));
      Throwable extended = catchThrowable(() -> lease.extend(ofMinutes(90)));
      second.close();
      first.reopen();

      assertThat(late).isInstanceOf(NotOwnerException.class);
      assertThat(extended).isInstanceOf(NotOwnerException.class);
      assertThat(first.admin().queueLeases()).isEmpty();
      assertThat(lease.claim(1, ZERO)).isEqualTo(new QueueClaimResult.StaleLease());
      assertThat(lease.remaining()).isZero();
      assertThat(SharedStoreRig.claimed(first.queue(MAIL))).hasSize(1);
    }
  }

  @Test
  void leaseQueue_afterATakeOver_isNotGranted() {
    try (SharedStoreRig rig = new SharedStoreRig()) {
      JobEngine first = rig.first.open();
      rig.second.takeOver();

      assertThatThrownBy(() -> first.leaseQueue(MAIL, "holder"))
          .isInstanceOf(NotOwnerException.class);
    }
  }
}

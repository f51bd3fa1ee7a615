package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancel during the run: the worker is told, decides, and whatever it does is final. */
@Tag("calls")
class CancelTrapsTest extends TrapTest {

  private static final Setup HONOURED = Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR);

  private static void assertCancelled(EngineHarness harness, JobId id) {
    assertThat(harness.queues().get(id)).isEmpty();
    assertThat(claim(mail(harness), 10)).isEmpty();
    assertThat(mail(harness).stats().orElseThrow().total(Total.CANCELLED)).isEqualTo(1);
    assertClean(harness);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @ParameterizedTest
  @EachStoreKind
  void requestCancel_duringTheRun_theHolderLearnsAndItsFailIsTheEnd(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "x".repeat(5_000));
    Lease lease = claim(mail(harness));

    assertThat(harness.queues().cancelIfWaiting(id)).isEqualTo(CancelResult.RUNNING);
    assertThat(lease.cancelRequested()).isFalse();
    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);

    assertThat(lease.cancelRequested()).isTrue();
    assertThat(lease.extend(ofSeconds(30)))
        .isEqualTo(new ExtendResult.Extended(ofSeconds(30), true));
    assertThat(lease.checkpoint("half".getBytes(UTF_8)))
        .isEqualTo(new ExtendResult.Extended(ofSeconds(30), true));
    assertThat(job(harness.queues(), id).lease().orElseThrow().cancelRequested()).isTrue();
    assertClean(harness);
    assertThat(lease.fail("stopped", FailOptions.RETRY)).isEqualTo(new FailResult.Cancelled());
    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    assertCancelled(harness, id);
  }

  @Test
  void requestCancel_holderCompletes_isACompletionLikeAnyOther() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    harness.queues().cancel(id).orThrow();

    CompleteResult result = lease.complete();

    assertThat(result).isEqualTo(CompleteResult.COMPLETED);
    assertThat(mail(harness).stats().orElseThrow().total(Total.COMPLETED)).isEqualTo(1);
    assertThat(mail(harness).stats().orElseThrow().total(Total.CANCELLED)).isZero();
    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.GONE);
    assertClean(harness);
  }

  @Test
  void requestCancel_holderNeverAnswers_jobGoesWithItsLease() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a", EnqueueOptions.DEFAULT.maxAttempts(1));
    Lease lease = claim(mail(harness));
    harness.queues().cancel(id).orThrow();

    advance(harness, LEASE_OVER);
    await("the lease has ended", () -> harness.queues().get(id).isEmpty());

    assertThat(lease.complete()).isEqualTo(CompleteResult.GONE);
    assertThat(mail(harness).stats().orElseThrow().count(JobState.DEAD)).isZero();
    assertCancelled(harness, id);
  }

  @Test
  void requestCancel_leaseIsClosed_jobIsNotServedAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    try (Lease lease = claim(mail(harness))) {
      harness.queues().cancel(lease.jobId()).orThrow();
    }

    assertCancelled(harness, id);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @Test
  void requestCancel_otherJobsOfTheQueue_areLeftAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    enqueue(mail(harness), "b");
    Lease marked = claim(mail(harness));
    Lease other = claim(mail(harness));

    harness.queues().cancel(id).orThrow();

    assertThat(marked.cancelRequested()).isTrue();
    assertThat(other.cancelRequested()).isFalse();
    assertThat(marked.release()).isEqualTo(ReleaseResult.CANCELLED);
    assertThat(other.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(payloads(claim(mail(harness), 10))).containsExactly("b");
    assertClean(harness);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @Test
  void requestCancel_beforeItsCommit_isToldToNobody() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    enqueue(mail(harness), "the lease's record is written with it");
    harness.store().holdNextWrite();
    CompletableFuture<CancelResult> request =
        CompletableFuture.supplyAsync(() -> harness.queues().cancel(id));
    harness.store().awaitHeld();

    assertThat(lease.cancelRequested()).isFalse();
    assertThat(request).isNotDone();

    harness.store().letGo();
    assertThat(join(request)).isEqualTo(CancelResult.REQUESTED);
    assertThat(lease.cancelRequested()).isTrue();
  }

  @ParameterizedTest
  @EachStoreKind
  void requestCancel_thenCrash_reclaimedJobIsGone(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.queues().cancel(id).orThrow();

    harness.crash();

    assertCancelled(harness, id);
  }

  @Test
  void requestCancel_thenPowerLoss_honouredLeaseKeepsItsMark() {
    EngineHarness harness = start(StoreKind.FAULTY, HONOURED);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.queues().cancel(id).orThrow();

    harness.losePower();

    assertThat(job(harness.queues(), id).lease().orElseThrow().cancelRequested()).isTrue();
    advance(harness, LEASE_OVER);
    await("the lease has ended", () -> harness.queues().get(id).isEmpty());
    assertCancelled(harness, id);
  }

  @Test
  void requestCancel_thenCleanStop_jobIsGone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.queues().cancel(id).orThrow();

    harness.restartCleanly();

    assertCancelled(harness, id);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @Test
  void requestCancel_thenPoison_handleKeepsItsMarkOverTheReopening() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    harness.queues().cancel(id).orThrow();
    harness.machine().failNext(StoreCall.SYNC, Fault.BEFORE);
    assertThatThrownBy(() -> enqueue(harness.queues().queue("other"), "unknown"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(lease.cancelRequested()).isTrue();
    assertThat(lease.fail("stopped")).isEqualTo(new FailResult.Cancelled());
    assertCancelled(harness, id);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "UNKNOWN", "AFTER"})
  void requestCancel_writeFails_markIsThereWholeOrNotAtAll(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    enqueue(mail(harness), "b");
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(() -> harness.queues().cancel(id))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    boolean isStored = job(harness.queues(), id).lease().orElseThrow().cancelRequested();
    assertThat(lease.cancelRequested()).isEqualTo(isStored);
    assertThat(lease.release())
        .isEqualTo(isStored ? ReleaseResult.CANCELLED : ReleaseResult.RELEASED);
    assertThat(harness.queues().get(id).isPresent()).isEqualTo(!isStored);
    assertClean(harness);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @Test
  void requestCancel_storeIsFull_isCarriedOutAllTheSame() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    JobId waiting = enqueue(mail, "b");
    Lease lease = claim(mail);
    harness.machine().room(Room.FOR_RESERVE_USERS);
    assertThatThrownBy(() -> harness.queues().update(waiting, UpdateOptions.NOTHING.priority(3)))
        .isInstanceOf(StoreFullException.class);
    assertThatThrownBy(() -> harness.queues().reschedule(waiting, Instant.EPOCH))
        .isInstanceOf(StoreFullException.class);

    assertThat(harness.queues().cancel(id)).isEqualTo(CancelResult.REQUESTED);

    assertThat(lease.cancelRequested()).isTrue();
    assertThat(lease.fail("stopped")).isEqualTo(new FailResult.Cancelled());
    assertThat(harness.queues().cancel(waiting)).isEqualTo(CancelResult.CANCELLED);
    assertClean(harness);
  }

  @Test
  void requestCancel_noRoomForAnything_leavesNoMark() {
    EngineHarness harness = start(StoreKind.FAULTY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    harness.machine().room(Room.FOR_NONE);

    assertThatThrownBy(() -> harness.queues().cancel(id)).isInstanceOf(StoreFullException.class);

    assertThat(lease.cancelRequested()).isFalse();
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(harness.queues().get(id)).isPresent();
    assertClean(harness);
  }

  @Test
  void jobWhoseLeaseRanOutUnnoticed_isRunningUntilTheReaperCame() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    claim(mail(harness));
    harness.clock().advanceMs(29_999);

    assertThat(harness.queues().reschedule(id, Instant.EPOCH)).isEqualTo(RescheduleResult.RUNNING);
    assertThat(harness.queues().update(id, UpdateOptions.NOTHING.priority(1)))
        .isEqualTo(UpdateResult.RUNNING);

    advance(harness, ofSeconds(1));
    awaitJob(harness, id, JobState.READY, 1);
    assertThat(harness.queues().update(id, UpdateOptions.NOTHING.priority(1)))
        .isEqualTo(UpdateResult.UPDATED);
    assertThat(Optional.of(claim(mail(harness)).priority())).contains(1);
    assertClean(harness);
  }
}

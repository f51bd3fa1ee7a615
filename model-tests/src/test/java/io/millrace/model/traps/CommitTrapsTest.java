package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.NotOwnerException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.engine.JobEngine;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreFailedException;
import io.millrace.spi.StoreFencedException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.ViewEndedException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody is forgotten when something fails in the middle of a commit, or beside it. */
@InProcess("what a store's faults do, whoever calls")
class CommitTrapsTest extends TrapTest {

  private static CompletableFuture<Enqueued> enqueueAsync(JobQueue queue, String payload) {
    return queue.enqueueAsync(payload.getBytes(UTF_8), EnqueueOptions.DEFAULT);
  }

  @Test
  void reopen_askedForWhileTheCommitBeforeItFails_returns() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "first");
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> held = enqueueAsync(mail(harness), "held");
    harness.store().awaitHeld();
    CompletableFuture<Enqueued> failing = enqueueAsync(mail(harness), "failing");
    CompletableFuture<Void> reopening = CompletableFuture.runAsync(() -> harness.engine().reopen());
    awaitRingDepth(harness, 2);
    CompletableFuture<Void> broken = held.thenRun(() -> {});

    harness.store().breakWriteAfter(1, new AssertionError("no store should"));
    harness.store().letGo();

    join(broken);
    assertThatThrownBy(() -> join(failing)).isInstanceOf(OutcomeUnknownException.class);
    join(reopening);
    assertThat(harness.engine().poison()).isEmpty();
    enqueue(mail(harness), "after");
    assertClean(harness);
  }

  @Test
  void enqueueAsync_executorThrowsWhatItShouldNot_everyFutureIsCompletedAndTheEngineGoesOn() {
    AtomicInteger calls = new AtomicInteger();
    Executor broken =
        answer -> {
          if (calls.incrementAndGet() % 2 == 1) {
            throw new IllegalStateException("the executor is broken");
          }
          answer.run();
        };
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).futureExecutor(broken));

    List<CompletableFuture<Enqueued>> futures =
        Collections.nCopies(10, "job").stream()
            .map(payload -> enqueueAsync(mail(harness), payload))
            .toList();

    futures.forEach(TrapTest::join);
    assertThat(harness.engine().poison()).isEmpty();
    assertThat(claim(mail(harness), 20)).hasSize(10);
  }

  @Test
  void open_firstCommitFailsAndClosingToo_isToldWhy() {
    FaultyStore machine = new FaultyStore(1);
    machine.failNext(StoreCall.SYNC, Fault.BEFORE);

    CompletableFuture<JobEngine> opening =
        CompletableFuture.supplyAsync(
            () ->
                JobEngine.open(
                    machine, StoreOptions.of(folder.resolve("store")), EngineOptions.DEFAULT));

    assertThatThrownBy(() -> join(opening)).isInstanceOf(StoreFailedException.class);
  }

  @Test
  void claim_readFailsAfterSomeJobsWereGranted_noneIsLeftLeasedWithoutAHolder() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).enqueueAll(Collections.nCopies(1_500, NewJob.of(new byte[] {1})));
    harness.restartCleanly();
    JobQueue mail = mail(harness);
    harness.store().breakRead(Keyspace.READY, 1, new StoreException("the disk cannot be read"));

    assertThatThrownBy(() -> mail.claim(ClaimOptions.by("worker").max(1_000)))
        .isInstanceOf(StoreException.class)
        .hasMessage("the disk cannot be read");

    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertThat(claim(mail, 1_000)).hasSize(1_000);
    assertClean(harness);
  }

  @ParameterizedTest
  @EnumSource(names = {"QUEUE", "COUNTERS", "READY"})
  void claim_readMeetsATakeOver_callersHearOfItAndNothingIsGranted(Keyspace keyspace) {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).enqueueAll(Collections.nCopies(1_500, NewJob.of(new byte[] {1})));
    harness.restartCleanly();
    JobQueue mail = mail(harness);
    harness.store().breakRead(keyspace, 0, new StoreFencedException("another owner has it"));

    assertThatThrownBy(() -> mail.claim(ClaimOptions.by("worker").max(1_000)))
        .isInstanceOf(NotOwnerException.class)
        .hasRootCauseMessage("another owner has it");
    assertThatThrownBy(() -> enqueue(mail, "late")).isInstanceOf(NotOwnerException.class);

    harness.engine().reopen();
    assertThat(mail.stats().orElseThrow().count(JobState.LEASED)).isZero();
    assertThat(claim(mail, 1_500)).hasSize(1_500);
    assertClean(harness);
  }

  @Test
  void claimAsync_errorWhileThePayloadIsRead_futureFailsAndTheJobIsHandedBack() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueue(new byte[5_000]);
    harness.store().breakRead(Keyspace.BLOB, 0, new OutOfMemoryError("the test's"));

    CompletableFuture<List<Lease>> claiming = mail.claimAsync(ClaimOptions.by("worker"));

    assertThat(claiming)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("the test's");
    pokeTwice(harness);
    assertThat(claim(mail).attempt()).isEqualTo(1);
  }

  @Test
  void claim_payloadCannotBeRead_jobIsHandedBackUncounted() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueue(new byte[5_000]);
    harness.store().breakRead(Keyspace.BLOB, 0, new StoreException("no reader is free"));

    assertThatThrownBy(() -> claim(mail)).isInstanceOf(StoreException.class);

    pokeTwice(harness);
    Lease lease = claim(mail);
    assertThat(lease.attempt()).isEqualTo(1);
    assertThat(lease.payload()).hasSize(5_000);
  }

  @Test
  void claim_viewEndsWhileThePayloadIsRead_anotherIsOpened() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    mail.enqueue(new byte[5_000]);
    harness.store().breakRead(Keyspace.BLOB, 0, new ViewEndedException("view has ended"));

    assertThat(claim(mail).payload()).hasSize(5_000);
  }

  @Test
  void completeAsync_refusedAtTheDoor_closeStillEndsTheLease() {
    EngineHarness harness = start(StoreKind.FAULTY);
    enqueue(mail(harness), "job");
    Lease lease = claim(mail(harness));
    enqueue(mail(harness), "flush");
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    assertThatThrownBy(() -> enqueue(mail(harness), "failing"))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(lease.completeAsync()).isCompletedExceptionally();
    harness.engine().reopen();

    lease.close();

    assertThat(job(harness.queues(), lease.jobId()).lastError()).contains(Lease.CLOSED_ERROR);
  }
}

package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueSettings;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Nobody is left waiting: every future completes exactly once, also when the engine closes or user
 * code misbehaves.
 */
@InProcess("who calls a server waits for the next engine when this one is closed")
class CloseTrapsTest extends TrapTest {

  @Test
  void close_claimsAreParked_allAreAnswered() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      claims.add(mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(600))));
    }

    harness.engine().close();

    claims.forEach(
        claim -> assertThatThrownBy(() -> join(claim)).isInstanceOf(EngineClosedException.class));
  }

  @Test
  void close_callerIsBlockedInAClaim_isAnswered() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    ConcurrentLinkedQueue<String> outcome = new ConcurrentLinkedQueue<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                outcome.add(
                    "leases: "
                        + mail(harness).claim(ClaimOptions.by("worker").waiting(ofSeconds(600))));
              } catch (EngineClosedException e) {
                outcome.add("closed");
              }
            });
    caller.start();
    await(
        "the caller waits",
        () ->
            caller.getState() == Thread.State.WAITING
                || caller.getState() == Thread.State.TIMED_WAITING);

    harness.engine().close();
    caller.join(30_000);

    assertThat(outcome).containsExactly("closed");
  }

  @Test
  void close_whileAClaimReadsItsLargePayload_claimIsToldThatTheEngineIsClosed() {
    EngineHarness harness = start(StoreKind.FAULTY);
    mail(harness).enqueue(new byte[10_000]);
    harness
        .store()
        .breakRead(
            Keyspace.BLOB,
            0,
            () -> {
              harness.engine().close();
              return new StoreClosedException("store is closed");
            });

    assertThatThrownBy(() -> claim(mail(harness)))
        .isInstanceOf(EngineClosedException.class)
        .hasMessage("engine is closed; what was claimed is handed back");

    harness.openAgain();
    assertThat(claim(mail(harness)).attempt()).isEqualTo(1);
  }

  @Test
  void close_requestsAreQueued_areFinishedAndNotLost() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    harness.store().holdNextWrite();
    List<CompletableFuture<Enqueued>> enqueues = new ArrayList<>();
    enqueues.add(mail(harness).enqueueAsync("first".getBytes(UTF_8), EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();
    for (int i = 0; i < 50; i++) {
      enqueues.add(
          mail(harness).enqueueAsync(("job " + i).getBytes(UTF_8), EnqueueOptions.DEFAULT));
    }
    Thread closer = new Thread(harness.engine()::close);
    closer.start();
    await(
        "the closer waits",
        () -> closer.getState() != Thread.State.RUNNABLE && closer.getState() != Thread.State.NEW);

    harness.store().letGo();
    closer.join(30_000);
    harness.restartCleanly();

    List<JobId> acknowledged = enqueues.stream().map(future -> join(future).jobId()).toList();
    assertThat(acknowledged)
        .hasSize(51)
        .allSatisfy(id -> assertThat(harness.queues().get(id)).isPresent());
    assertThat(claim(mail(harness), 100)).hasSize(51);
  }

  @Test
  void closed_everyOperation_saysSo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");
    Lease lease = claim(mail);
    harness.engine().close();

    List<ThrowingCallable> calls =
        List.of(
            () -> mail.enqueue(new byte[0]),
            () -> mail.enqueueAll(List.of(NewJob.of(new byte[0]))),
            () -> mail.claim(ClaimOptions.by("worker")),
            () -> mail.configure(held -> QueueSettings.DEFAULT),
            mail::pause,
            mail::resume,
            () -> mail.deadLetters().redrive(id),
            () -> mail.deadLetters().delete(id),
            () -> harness.queues().cancelIfWaiting(id),
            () -> harness.queues().get(id),
            mail::stats,
            lease::complete,
            () -> lease.fail("x"),
            lease::release,
            () -> lease.snooze(ofSeconds(1)),
            () -> lease.extend(ofSeconds(1)),
            () -> lease.checkpoint(new byte[0]),
            () -> join(mail.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT)),
            () -> join(mail.claimAsync(ClaimOptions.by("worker"))),
            () -> join(lease.completeAsync()),
            () -> join(lease.failAsync("x", FailOptions.RETRY)),
            () -> join(lease.releaseAsync()),
            () -> join(lease.snoozeAsync(ofSeconds(1))),
            () -> join(lease.checkpointAsync(new byte[0])),
            () -> join(lease.extendAsync(ofSeconds(1))),
            () -> harness.engine().reopen());

    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(EngineClosedException.class));
    lease.close();
    harness.engine().close();
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void close_whileManyThreadsWork_everyFutureCompletesExactlyOnceAndNoAcknowledgedJobIsLost(
      StoreKind kind) throws InterruptedException {
    EngineHarness harness = start(kind);
    ConcurrentLinkedQueue<JobId> acknowledged = new ConcurrentLinkedQueue<>();
    AtomicInteger submitted = new AtomicInteger();
    AtomicInteger completed = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(() -> submitUntilClosed(harness, submitted, completed, acknowledged));
      threads.add(thread);
      thread.start();
    }
    await("work is under way", () -> acknowledged.size() > 200);

    List<Thread> closers =
        List.of(new Thread(harness.engine()::close), new Thread(harness.engine()::close));
    closers.forEach(Thread::start);
    for (Thread thread : closers) {
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
    }
    for (Thread thread : threads) {
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
    }

    await("every future has completed", () -> completed.get() >= submitted.get());
    assertThat(completed).hasValue(submitted.get());
    harness.restartCleanly();
    assertThat(acknowledged).allSatisfy(id -> assertThat(harness.queues().get(id)).isPresent());
  }

  private static void submitUntilClosed(
      EngineHarness harness,
      AtomicInteger submitted,
      AtomicInteger completed,
      ConcurrentLinkedQueue<JobId> acknowledged) {
    JobQueue mail = mail(harness);
    boolean isOpen = true;
    while (isOpen) {
      try {
        submitted.incrementAndGet();
        CompletableFuture<Enqueued> future =
            mail.enqueueAsync(new byte[100], EnqueueOptions.DEFAULT);
        CompletableFuture<?> counted =
            future.whenComplete(
                (result, failure) -> {
                  completed.incrementAndGet();
                  if (failure == null) {
                    acknowledged.add(result.jobId());
                  }
                });
        join(counted);
      } catch (EngineClosedException e) {
        isOpen = false;
      }
    }
  }

  @Test
  void future_dependentStageBlocks_engineGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CountDownLatch blocked = new CountDownLatch(1);
    CompletableFuture<Void> stuck =
        mail(harness)
            .claimAsync(ClaimOptions.by("blocked").waiting(ofSeconds(60)))
            .thenAccept(
                leases -> {
                  try {
                    blocked.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });

    for (int i = 0; i < 100; i++) {
      enqueue(mail(harness), "b");
    }
    assertThat(claim(mail(harness), 200)).hasSize(99);

    blocked.countDown();
    join(stuck);
  }

  @Test
  void future_dependentStageThrowsAnError_engineGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<Void> broken =
        mail(harness)
            .enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT)
            .thenAccept(
                result -> {
                  throw new StackOverflowError("thrown by the test");
                });

    assertThatThrownBy(() -> join(broken)).isInstanceOf(AssertionError.class);
    assertThat(
            join(mail(harness).enqueueAsync("b".getBytes(UTF_8), EnqueueOptions.DEFAULT)).jobId())
        .isNotNull();
    assertThat(claim(mail(harness), 10)).hasSize(2);
  }

  @Test
  void future_executorRefuses_futureCompletesAllTheSameAndEngineGoesOn() {
    EngineHarness harness =
        start(
            StoreKind.MEMORY,
            clock ->
                Setup.DEFAULT
                    .options(clock)
                    .futureExecutor(
                        task -> {
                          throw new RejectedExecutionException("refused by the test");
                        }));

    CompletableFuture<Enqueued> future =
        mail(harness).enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT);

    await("the future completes", future::isDone);
    enqueue(mail(harness), "b");
    assertThat(claim(mail(harness), 10)).hasSize(2);
  }

  @Test
  void future_ownExecutor_isUsedForCompletion() {
    ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).futureExecutor(tasks::add));

    CompletableFuture<Enqueued> future =
        mail(harness).enqueueAsync("a".getBytes(UTF_8), EnqueueOptions.DEFAULT);
    await("the completion is handed over", () -> !tasks.isEmpty());

    assertThat(future).isNotDone();
    tasks.remove().run();
    assertThat(join(future).jobId()).isNotNull();
  }

  @Test
  void storeFails_everyoneWaiting_isTold() throws InterruptedException {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> parked =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(600)));
    harness.poke();
    harness.store().holdNextWrite();
    List<CompletableFuture<Enqueued>> enqueues = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      enqueues.add(mail(harness).enqueueAsync(new byte[0], EnqueueOptions.DEFAULT));
    }
    harness.store().awaitHeld();

    harness.store().cut();

    enqueues.forEach(
        future -> assertThatThrownBy(() -> join(future)).isInstanceOf(MillraceException.class));
    assertThatThrownBy(() -> join(parked)).isInstanceOf(MillraceException.class);
    assertThat(harness.engine().poison()).isPresent();
    harness.crash();
  }
}

package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.ExtendResult;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo.Syncing;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * On a store whose every write syncs the batch before, a batch may be left to the next write:
 * nobody is answered before that, and nobody waits for a write that never comes.
 */
@InProcess("what a store's faults do, whoever calls")
class SyncLeftToNextWriteTrapsTest extends TrapTest {

  private EngineHarness start() {
    return start(Setup.DEFAULT);
  }

  private EngineHarness start(Setup setup) {
    return started(
        new EngineHarness(
            new FaultyStore(1, Syncing.WRITE_SYNCS_PREVIOUS),
            folder.resolve("store"),
            setup::options));
  }

  private static CompletableFuture<Enqueued> enqueueAsync(JobQueue queue, String payload) {
    return queue.enqueueAsync(payload.getBytes(UTF_8), EnqueueOptions.DEFAULT);
  }

  private static JobId id(CompletableFuture<Enqueued> enqueued) {
    return join(enqueued).jobId();
  }

  private static long syncCount(EngineHarness harness) {
    return harness.machine().callCount(StoreCall.SYNC);
  }

  /** The engine stands before the write of one enqueue, so that what follows is the next group. */
  private static CompletableFuture<Enqueued> held(EngineHarness harness)
      throws InterruptedException {
    harness.store().holdNextWrite();
    CompletableFuture<Enqueued> held = enqueueAsync(mail(harness), "held");
    harness.store().awaitHeld();
    return held;
  }

  @Test
  void nextGroupWrites_firstIsAnsweredWithItsWriteAndOneSyncIsSaved() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Enqueued> second = enqueueAsync(mail(harness), "second");
    long before = syncCount(harness);

    harness.store().letGoUntilSync();
    harness.store().awaitHeld();

    join(first);
    assertNotAnswered(harness, second);
    harness.store().letGo();
    join(second);
    assertThat(syncCount(harness) - before).isEqualTo(1);
  }

  @Test
  void nextGroupIsHeldBeforeItsWrite_firstIsNotAnswered() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Enqueued> second = enqueueAsync(mail(harness), "second");

    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();

    assertThat(harness.store().lastCommit() - harness.store().syncedCommit()).isEqualTo(1);
    assertNotAnswered(harness, first);
    harness.machine().crash();
    harness.store().letGo();
    assertThatThrownBy(() -> join(first)).isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(() -> join(second)).isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void nextGroupWritesNothing_firstIsSyncedAllTheSame() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "leased");
    Lease lease = claim(mail(harness));
    enqueue(mail(harness), "flush");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<ExtendResult> extend = lease.extendAsync(Duration.ofSeconds(30));

    harness.store().letGo();

    join(first);
    assertThat(join(extend)).isInstanceOf(ExtendResult.Extended.class);
    assertThat(harness.store().syncedCommit()).isEqualTo(harness.store().lastCommit());
  }

  @Test
  void onlyAbandonedRequestsFollow_firstIsSyncedAllTheSame() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    Thread givesUp =
        new Thread(
            () -> {
              assertThatThrownBy(() -> enqueue(mail(harness), "given up"))
                  .isInstanceOf(OutcomeUnknownException.class);
            });
    givesUp.start();
    awaitRingDepth(harness, 1);
    givesUp.interrupt();
    givesUp.join();

    harness.store().letGo();

    join(first);
    assertThat(claim(mail(harness), 10)).hasSize(2);
  }

  @Test
  void onlyAControlFollows_firstIsSyncedAllTheSame() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Void> control = CompletableFuture.runAsync(() -> harness.engine().reopen());
    awaitRingDepth(harness, 1);

    harness.store().letGo();

    join(first);
    join(control);
  }

  @Test
  void nextWriteFindsTheStoreFull_firstIsSyncedAndTheSecondRefused() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Enqueued> second = enqueueAsync(mail(harness), "second");

    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    harness.machine().room(Room.FOR_RESERVE_USERS);
    harness.store().letGo();

    assertThatThrownBy(() -> join(second)).isInstanceOf(StoreFullException.class);
    JobId kept = id(first);
    harness.losePower();
    assertThat(harness.queues().get(kept)).isPresent();
  }

  @Test
  void nextWriteFails_bothOutcomesAreUnknown() throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Enqueued> second = enqueueAsync(mail(harness), "second");

    harness.store().letGoUntilWrite();
    harness.store().awaitHeld();
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    harness.store().letGo();

    assertThatThrownBy(() -> join(first)).isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(() -> join(second)).isInstanceOf(OutcomeUnknownException.class);
    harness.engine().reopen();
    assertClean(harness);
  }

  @Test
  void close_whileASyncIsLeftToTheNextWrite_everybodyIsAnsweredAndEverythingKept()
      throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> first = held(harness);
    CompletableFuture<Enqueued> second = enqueueAsync(mail(harness), "second");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> harness.engine().close());

    harness.store().letGo();

    List<JobId> kept = List.of(id(first), id(second));
    join(closing);
    harness.openAgain();
    assertThat(kept).allMatch(id -> harness.queues().get(id).isPresent());
  }

  @Test
  void bufferedFollowsSynced_eachIsAnsweredAtItsLevelAndTheRestIsSyncedInTime()
      throws InterruptedException {
    EngineHarness harness = start();
    enqueue(mail(harness), "before");
    CompletableFuture<Enqueued> synced = held(harness);
    CompletableFuture<Enqueued> buffered =
        enqueueAsync(mail(harness).with(Durability.BUFFERED), "buffered");

    harness.store().letGo();

    join(synced);
    join(buffered);
    harness.clock().advanceMs(50);
    harness.awaitNothingDue();
    await(
        "the buffered commit is synced",
        () -> harness.store().syncedCommit() == harness.store().lastCommit());
  }

  @Test
  void manyCallers_powerIsLost_everythingThatWasAnsweredIsKept() {
    EngineHarness harness = start();
    List<Thread> callers = new ArrayList<>();
    List<JobId> answered = Collections.synchronizedList(new ArrayList<>());
    for (int caller = 0; caller < 4; caller++) {
      callers.add(new Thread(() -> work(harness, answered)));
    }

    callers.forEach(Thread::start);
    await("there was work", () -> answered.size() > 400);
    harness.machine().crash();
    callers.forEach(SyncLeftToNextWriteTrapsTest::joined);
    harness.losePower();

    assertThat(answered).allMatch(id -> harness.queues().get(id).isPresent());
    assertClean(harness);
  }

  /** Enqueues and completes until the engine refuses. */
  private static void work(EngineHarness harness, List<JobId> answered) {
    JobQueue mail = mail(harness);
    JobQueue other = harness.queues().queue("other");
    try {
      while (true) {
        answered.add(enqueue(mail, "kept"));
        enqueue(other, "completed");
        other
            .claim(ClaimOptions.by("worker"))
            .forEach(lease -> assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED));
      }
    } catch (MillraceException e) {
      assertThat(harness.engine().poison()).isPresent();
    }
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}

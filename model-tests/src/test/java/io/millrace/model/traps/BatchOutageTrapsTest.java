package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.MillraceException;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.model.rig.UnreadableFactory;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreInfo;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore.Room;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches on stores that fail, are full or take little: what they count stays exact. */
@InProcess("what a store's faults do, whoever calls")
class BatchOutageTrapsTest extends BatchTrapTest {

  private final UnreadableFactory rows = new UnreadableFactory(StoreKind.FAULTY.newFactory());

  private int actsBeforeFault;
  private StoreCall theCall = StoreCall.WRITE;
  private Fault theFault = Fault.BEFORE;
  private int failures;

  private EngineHarness startUnreadable() {
    return started(new EngineHarness(rows, folder.resolve("store"), Setup.DEFAULT::options));
  }

  private EngineHarness startBehind(UnaryOperator<OrderedStore> front) {
    StoreFactory factory = ForwardingStore.factory(StoreKind.FAULTY.newFactory(), front);
    return started(new EngineHarness(factory, folder.resolve("store"), Setup.DEFAULT::options));
  }

  /** A store that takes as many operations as it is told to. */
  private static OrderedStore taking(OrderedStore sound, AtomicInteger operationCountMax) {
    return new ForwardingStore(sound) {
      @Override
      public StoreInfo info() {
        return store.info().batchOperationsMax(operationCountMax.get());
      }
    };
  }

  /** The threads of the common pool are too few to wait on. */
  private static void startThread(Runnable task) {
    new Thread(task).start();
  }

  private static List<BatchStats> listed(EngineHarness harness) {
    return harness.queues().batches().list(PageRequest.first(1_000)).items();
  }

  /** Each act of a batch's life in turn fails, and nobody knows whether it happened. */
  @ParameterizedTest
  @CsvSource({
    "WRITE, BEFORE, 0",
    "WRITE, BEFORE, 1",
    "WRITE, BEFORE, 2",
    "WRITE, BEFORE, 3",
    "WRITE, BEFORE, 4",
    "WRITE, BEFORE, 5",
    "WRITE, AFTER, 0",
    "WRITE, AFTER, 1",
    "WRITE, AFTER, 2",
    "WRITE, AFTER, 3",
    "WRITE, AFTER, 4",
    "WRITE, AFTER, 5",
    "SYNC, BEFORE, 0",
    "SYNC, BEFORE, 1",
    "SYNC, BEFORE, 3",
    "SYNC, BEFORE, 4",
    "SYNC, BEFORE, 5",
    "SYNC, AFTER, 3",
    "SYNC, AFTER, 5"
  })
  void anyAct_fails_batchEndsOnceAndExactly(StoreCall call, Fault fault, int act) {
    EngineHarness harness = start(StoreKind.FAULTY);
    actsBeforeFault = act;
    theCall = call;
    theFault = fault;

    while (listed(harness).isEmpty()) {
      attempt(harness, () -> begin(harness, watched("a", "dies", "b")));
    }
    BatchId id = listed(harness).get(0).id();
    workOff(harness, id, true);

    assertThat(listed(harness)).hasSize(1);
    assertFigures(harness, id, "succeeded=2 dead=1 over");
    assertAnyDied(harness);
    assertClean(harness);
    JobId dead = onlyJob(harness, id);
    while (state(harness.queues(), dead) == JobState.DEAD) {
      attempt(harness, () -> mail(harness).deadLetters().redrive(dead).orThrow());
    }
    workOff(harness, id, false);
    assertFigures(harness, id, "succeeded=3 over");
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertThat(failures).isEqualTo(1);
    harness.losePower();
    assertFigures(harness, id, "succeeded=3 over");
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  private void attempt(EngineHarness harness, Runnable act) {
    if (actsBeforeFault-- == 0) {
      harness.machine().failNext(theCall, theFault);
    }
    try {
      act.run();
    } catch (MillraceException unknown) {
      failures++;
      harness.recover();
    }
  }

  private void workOff(EngineHarness harness, BatchId id, boolean mayDie) {
    for (int i = 0; !stats(harness, id).isOver(); i++) {
      assertThat(i).as("rounds").isLessThan(100);
      attempt(harness, () -> workOnce(harness, mayDie));
    }
  }

  private static void workOnce(EngineHarness harness, boolean mayDie) {
    List<Lease> leases = claim(mail(harness), 1);
    for (Lease lease : leases) {
      if (mayDie && payload(lease).equals("dies")) {
        lease.fail("broken", DEAD).orThrow();
      } else {
        lease.complete().orThrow();
      }
    }
    if (leases.isEmpty()) {
      // The lease of one that was claimed before the failure has to run out.
      pass(harness, LEASE_OVER);
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void power_lost_countsAndJobsAreOfOneCommit(Durability durability) {
    EngineHarness harness = start(StoreKind.FAULTY, Setup.DEFAULT.withDurability(durability));
    BatchId id = begin(harness, watched("a", "b", "c"));
    enqueue(harness.queues().queue(OTHER).with(Durability.SYNCED), "syncs");
    completeAll(harness, mail(harness), 2);
    assertFigures(harness, id, "left=1 succeeded=2 not over");

    harness.losePower();

    BatchStats stats = stats(harness, id);
    assertThat(stats.left()).isEqualTo(jobs(harness, id).size());
    assertThat(stats.total()).isEqualTo(3);
    assertNothingAfter(harness);
    assertClean(harness);
    completeAll(harness, mail(harness), (int) stats.left());
    assertFigures(harness, id, "succeeded=3 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void store_isFull_startIsRefusedAndEndsGoOn() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.machine().room(Room.FOR_NONE);
    assertThatThrownBy(() -> begin(harness, watched("b"))).isInstanceOf(StoreFullException.class);
    assertThatThrownBy(lease::complete).isInstanceOf(StoreFullException.class);
    assertFigures(harness, id, "left=1 running=1 not over");
    harness.machine().room(Room.FOR_ALL);
    harness.clock().advanceMs(1_000);
    await("the store is probed", () -> !harness.engine().isFull());

    lease.complete().orThrow();

    assertFigures(harness, id, "succeeded=1 over");
    assertAllSucceeded(harness);
    assertThat(listed(harness)).hasSize(1);
    assertThat(begin(harness, watched("b"))).isGreaterThan(id);
    assertThat(listed(harness)).hasSize(2);
    assertClean(harness);
  }

  @Test
  void start_isMoreThanTheStoreTakes_isRefusedAndASmallerOneIsNot() {
    AtomicInteger operationCountMax = new AtomicInteger(131_072);
    EngineHarness harness = startBehind(store -> taking(store, operationCountMax));
    operationCountMax.set(500);
    Batch batch = watched();
    for (int i = 0; i < 2_000; i++) {
      batch.add(MAIL, job("a"));
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> begin(harness, batch))
        .withMessageStartingWith("call is too large for one commit of this store");

    assertThat(listed(harness)).isEmpty();
    assertThat(mail(harness).stats()).isEmpty();
    BatchId id = begin(harness, watched("a"));
    assertFigures(harness, id, "left=1 not over");
    assertClean(harness);
  }

  /** Several starts are carried out together, and what they are carried out with is taken back. */
  @Test
  void starts_inAGroupThatIsTakenBack_areMadeOnceEach() throws InterruptedException {
    AtomicInteger operationCountMax = new AtomicInteger(131_072);
    EngineHarness harness = startBehind(store -> taking(store, operationCountMax));
    harness.store().holdNextWrite();
    CompletableFuture<?> held = mail(harness).enqueueAsync(new byte[0], PLAIN);
    harness.store().awaitHeld();
    List<CompletableFuture<BatchId>> starts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Batch batch = watched();
      for (int k = 0; k < 50; k++) {
        batch.add(OTHER, job("a"));
      }
      starts.add(
          CompletableFuture.supplyAsync(
              () -> begin(harness, batch), BatchOutageTrapsTest::startThread));
    }
    awaitRingDepth(harness, 8);
    operationCountMax.set(600);

    harness.store().letGo();

    join(held);
    List<BatchId> ids = starts.stream().map(TrapTest::join).sorted().toList();
    assertThat(listed(harness)).extracting(BatchStats::id).isEqualTo(ids).doesNotHaveDuplicates();
    ids.forEach(id -> assertFigures(harness, id, "left=50 not over"));
    assertThat(peek(after(harness), JobState.WAITING)).hasSize(24);
    assertClean(harness);
  }

  @Test
  void follower_cannotBeRead_itsBatchEndsAndItComesOnceItCan() {
    EngineHarness harness = startUnreadable();
    BatchId id = begin(harness, watched("a"));
    JobId waiting = waitingAfter(harness, DONE);
    harness.restartCleanly();
    Lease lease = claim(mail(harness));
    rows.hide(waiting);

    lease.complete().orThrow();

    assertFigures(harness, id, "succeeded=1 over");
    pass(harness, Duration.ofMinutes(1));
    rows.show();
    assertThat(harness.engine().poison()).isEmpty();
    assertAfter(harness, List.of(ALL_SUCCEEDED), List.of(DONE));
    pass(harness, Duration.ofMinutes(1));
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** One call ends so many batches that no commit has room for all that comes after them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void manyBatches_endInOneCall_everythingComesThoughTheStoreTakesLittle(boolean isCrashed) {
    AtomicInteger operationCountMax = new AtomicInteger(3_000);
    EngineHarness harness = startBehind(store -> taking(store, operationCountMax));
    int count = 400;
    List<BatchId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(begin(harness, watched("a")));
    }
    List<Lease> leases = claim(mail(harness), count);
    harness.storeLeases();

    assertThat(harness.queues().completeAll(leases)).allMatch(result -> result.isDone());
    if (isCrashed) {
      harness.crash();
    }
    harness.awaitNothingDue();

    assertThat(after(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(2L * count);
    assertThat(after(harness).stats().orElseThrow().count(JobState.WAITING)).isZero();
    ids.forEach(id -> assertFigures(harness, id, "succeeded=1 over"));
    assertClean(harness);
    pass(harness, Batch.RETENTION_DEFAULT);
    await("all are gone", () -> listed(harness).isEmpty());
    assertClean(harness);
  }

  /** The rows of a deleted queue go in many commits, between which the process may die. */
  @ParameterizedTest
  @EachStoreKind
  void queue_deletedWithManyJobs_batchEndsWithTheLastOfThem(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = watched();
    for (int i = 0; i < 4_000; i++) {
      batch.add(MAIL, job("a", i % 2 == 0 ? PLAIN : PLAIN.delay(Duration.ofDays(1))));
    }
    BatchId id = begin(harness, batch.add(OTHER, job("b")));
    assertThat(claim(mail(harness), 100)).hasSize(100);
    harness.storeLeases();

    assertThat(mail(harness).delete()).isTrue();
    harness.crash();
    harness.awaitNothingDue();

    assertFigures(harness, id, "left=1 purged=4000 not over");
    assertNothingAfter(harness);
    assertClean(harness);
    enqueue(mail(harness), "of a new queue", in(id));
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    assertFigures(harness, id, "left=1 succeeded=1 purged=4000 not over");
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=2 purged=4000 over");
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  @Test
  void queue_purgedWithManyJobsOfManyBatches_eachEndsOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    List<BatchId> ids = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Batch batch = watched();
      for (int k = 0; k < 50; k++) {
        batch.add(MAIL, job("a"));
      }
      ids.add(begin(harness, batch));
    }

    assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(3_000);

    ids.forEach(id -> assertFigures(harness, id, "purged=50 over"));
    assertThat(after(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(60);
    assertThat(after(harness).stats().orElseThrow().count(JobState.WAITING)).isZero();
    assertClean(harness);
  }

  /** Many threads end the jobs of one batch, add others, and redrive what is dead. */
  @Test
  void jobs_endedAndAddedByManyThreads_countExactly() {
    EngineHarness harness = start(StoreKind.FAULTY);
    Batch batch = watched();
    for (int i = 0; i < 200; i++) {
      batch.add(i % 2 == 0 ? MAIL : OTHER, job("parent"));
    }
    BatchId id = begin(harness, batch);
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      QueueName queue = i % 2 == 0 ? MAIL : OTHER;
      workers.add(
          CompletableFuture.runAsync(
              () -> workOff(harness, id, queue), BatchOutageTrapsTest::startThread));
    }

    workers.forEach(TrapTest::join);

    assertFigures(harness, id, "succeeded=400 over");
    assertAllSucceeded(harness);
    assertClean(harness);
    harness.losePower();
    assertFigures(harness, id, "succeeded=400 over");
    assertAllSucceeded(harness);
  }

  private static void workOff(EngineHarness harness, BatchId id, QueueName queue) {
    while (!stats(harness, id).isOver()) {
      for (Lease lease : claim(harness.queues().queue(queue), 3)) {
        EnqueueOptions child = PLAIN.batch(lease.batch().orElseThrow());
        boolean isParent = payload(lease).equals("parent");
        harness
            .queues()
            .inTransaction(
                tx -> {
                  if (isParent) {
                    tx.enqueue(queue, new byte[1], child);
                  }
                  tx.complete(lease);
                })
            .orThrow();
      }
    }
  }
}

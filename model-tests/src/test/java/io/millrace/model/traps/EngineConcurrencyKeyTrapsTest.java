package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.UpdateOptions;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.model.rig.UnreadableFactory;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreException;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultPlan;
import io.millrace.spi.testkit.StoreCall;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Concurrency keys of the whole engine: slots go from queue to queue, and none is lost between. */
class EngineConcurrencyKeyTrapsTest extends TrapTest {

  private static final EnqueueOptions ONE = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 1);
  private static final EnqueueOptions MANY = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 9);
  private static final ClaimOptions BY = ClaimOptions.by("worker");

  private static JobQueue queue(EngineHarness harness, String name) {
    return harness.queues().queue(name);
  }

  /** Four jobs of one key in three queues, of which the first is ready. */
  private static void four(EngineHarness harness) {
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "b"), "b1", ONE);
    enqueue(queue(harness, "a"), "a2", ONE);
    enqueue(queue(harness, "c"), "c1", ONE);
  }

  private static List<String> all(EngineHarness harness, JobState state) {
    List<String> found = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      if (queue(harness, name).stats().isPresent()) {
        found.addAll(peek(queue(harness, name), state));
      }
    }
    return found;
  }

  private static void assertStates(EngineHarness harness, List<String> ready, String... blocked) {
    assertThat(all(harness, JobState.READY)).isEqualTo(ready);
    assertThat(all(harness, JobState.BLOCKED)).containsExactlyInAnyOrder(blocked);
    assertClean(harness);
  }

  private static int rowCount(EngineHarness harness, Keyspace keyspace) {
    try (ReadView view = harness.store().read()) {
      return view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void jobsOfSeveralQueues_areServedOneAfterTheOtherInTheOrderOfArrival(StoreKind kind) {
    EngineHarness harness = start(kind);
    four(harness);
    List<String> served = new ArrayList<>();

    for (String name : List.of("a", "b", "a", "c")) {
      assertThat(all(harness, JobState.READY)).hasSize(1);
      Lease lease = claim(queue(harness, name));
      served.add(payload(lease));
      assertClean(harness);
      lease.complete().orThrow();
    }

    assertThat(served).containsExactly("a1", "b1", "a2", "c1");
    assertThat(rowCount(harness, Keyspace.SLOT)).isZero();
    assertClean(harness);
  }

  @Test
  void priorities_countOverAllQueues() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "b"), "b1", ONE);
    enqueue(queue(harness, "c"), "c1", ONE.priority(5));
    Lease first = claim(queue(harness, "a"));

    first.complete().orThrow();

    assertStates(harness, List.of("c1"), "b1");
  }

  @ParameterizedTest
  @EachStoreKind
  void complete_claimWaitsOnAnotherQueue_isServedWithTheSameCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    four(harness);
    Lease first = claim(queue(harness, "a"));
    CompletableFuture<List<Lease>> waiting =
        queue(harness, "b").claimAsync(BY.waiting(ofSeconds(20)));
    assertNotAnswered(harness, waiting);

    first.complete().orThrow();

    assertThat(payloads(join(waiting))).containsExactly("b1");
  }

  /** Nothing of the other queues is in memory after a restart. */
  @ParameterizedTest
  @EachStoreKind
  void complete_nextIsOfAQueueThatIsNotInMemory_isHandedTheSlot(StoreKind kind) {
    EngineHarness harness = start(kind);
    four(harness);
    harness.restartCleanly();

    claim(queue(harness, "a")).complete().orThrow();

    assertStates(harness, List.of("b1"), "a2", "c1");
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_holderLeased_isReadyAgainBehindThoseOfOtherQueues(StoreKind kind) {
    EngineHarness harness = start(kind);
    four(harness);
    claim(queue(harness, "a"));
    harness.storeLeases();

    harness.crash();

    assertStates(harness, List.of("b1"), "a1", "a2", "c1");
  }

  @Test
  void crash_leasesHonoured_keepsTheSlot() {
    EngineHarness harness =
        start(StoreKind.LMDB, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    four(harness);
    claim(queue(harness, "a"));
    harness.storeLeases();

    harness.crash();

    assertStates(harness, List.of(), "b1", "a2", "c1");
  }

  @Test
  void sameText_isAnotherKeyInAQueueThanInTheEngine() {
    EngineHarness harness = start(StoreKind.MEMORY);
    EnqueueOptions ofQueue = EnqueueOptions.DEFAULT.concurrencyKey("host");
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "a"), "a2", ofQueue);
    enqueue(queue(harness, "a"), "a3", ofQueue);
    enqueue(queue(harness, "b"), "b1", ONE);
    assertStates(harness, List.of("a1", "a2"), "a3", "b1");

    payloads(claim(queue(harness, "a"), 2));
    queue(harness, "a").configure(settings -> settings.perKey(2));
    await("the queue's goes on", () -> all(harness, JobState.READY).equals(List.of("a3")));

    assertStates(harness, List.of("a3"), "b1");
  }

  @Test
  void mostOfEachJob_countsAsItComesFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "b"), "b1", ONE);
    enqueue(queue(harness, "b"), "b2", MANY);
    enqueue(queue(harness, "c"), "c1", MANY);
    assertStates(harness, List.of("a1"), "b1", "b2", "c1");

    claim(queue(harness, "a")).complete().orThrow();

    assertStates(harness, List.of("b1", "b2", "c1"));
  }

  @Test
  void firstOfTheLineGoesAway_lessStrictOneBehindItGoesOnAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(queue(harness, "a"), "a1", ONE);
    JobId strict = enqueue(queue(harness, "b"), "b1", ONE);
    enqueue(queue(harness, "c"), "c1", MANY);
    assertStates(harness, List.of("a1"), "b1", "c1");

    harness.queues().cancel(strict).orThrow();

    assertStates(harness, List.of("a1", "c1"));
  }

  @Test
  void lessStrictOneOvertakes_goesOnAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "b"), "b1", ONE);
    JobId late = enqueue(queue(harness, "c"), "c1", MANY);

    harness.queues().update(late, UpdateOptions.NOTHING.priority(3)).orThrow();
    enqueue(queue(harness, "c"), "c2", MANY.priority(3));

    assertStates(harness, List.of("a1", "c1", "c2"), "b1");
  }

  @Test
  void pausedQueue_isHandedTheSlotAndKeepsIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    four(harness);
    Lease first = claim(queue(harness, "a"));
    queue(harness, "b").pause();

    first.complete().orThrow();

    assertStates(harness, List.of("b1"), "a2", "c1");
    assertThat(claim(queue(harness, "b"), 10)).isEmpty();
  }

  @Test
  void purge_ofReadyJobs_givesTheirSlotsToOtherQueues() {
    EngineHarness harness = start(StoreKind.LMDB);
    four(harness);

    queue(harness, "a").purge(EnumSet.of(JobState.READY, JobState.BLOCKED));

    assertStates(harness, List.of("b1"), "c1");
  }

  @ParameterizedTest
  @EachStoreKind
  void delete_ofAQueue_givesBackWhatItHeldAndLeavesTheLine(StoreKind kind) {
    EngineHarness harness = start(kind);
    four(harness);
    Lease held = claim(queue(harness, "a"));

    queue(harness, "a").delete();
    await("the next is ready", () -> all(harness, JobState.READY).equals(List.of("b1")));

    assertStates(harness, List.of("b1"), "c1");
    assertThat(held.complete().isDone()).isFalse();
    claim(queue(harness, "b")).complete().orThrow();
    assertStates(harness, List.of("c1"));
    claim(queue(harness, "c")).complete().orThrow();
    harness.awaitNothingDue();
    assertThat(rowCount(harness, Keyspace.SLOT)).isZero();
    assertThat(rowCount(harness, Keyspace.BLOCKED)).isZero();
  }

  /** The queue whose turn it is was deleted, and its rows are not gone yet. */
  @Test
  void delete_thenCrash_goesOnWithTheRemoval() {
    EngineHarness harness = start(StoreKind.LMDB);
    four(harness);
    queue(harness, "a").delete();

    harness.crash();
    await("the next is ready", () -> all(harness, JobState.READY).equals(List.of("b1")));

    assertStates(harness, List.of("b1"), "c1");
  }

  @Test
  void expiryAndBackoff_giveTheSlotUpAndQueueAgain() {
    EngineHarness harness = start(StoreKind.MEMORY);
    four(harness);
    Lease first = claim(queue(harness, "a"));

    first.fail("broken").orThrow();

    assertStates(harness, List.of("b1"), "a2", "c1");
    advance(harness, ofSeconds(40));
    harness.awaitNothingDue();
    assertStates(harness, List.of("b1"), "a1", "a2", "c1");
  }

  /** The next job's record cannot be read: nothing of the completion may be left half done. */
  @Test
  void handOn_readFails_completionIsRefusedWholeAndCanBeMadeAgain() {
    UnreadableFactory rows = new UnreadableFactory(StoreKind.MEMORY.newFactory());
    EngineHarness harness =
        started(new EngineHarness(rows, folder.resolve("store"), Setup.DEFAULT::options));
    enqueue(queue(harness, "a"), "a1", ONE);
    JobAddress second = JobAddress.of(enqueue(queue(harness, "b"), "b1", ONE)).orElseThrow();
    enqueue(queue(harness, "c"), "c1", ONE);
    Lease first = claim(queue(harness, "a"));
    harness.storeLeases();
    rows.hide(new JobAddress(second.queue(), Keyspace.READY, 0, second.birth() + 1).toJobId());

    assertThatThrownBy(first::complete).isInstanceOf(StoreException.class);
    rows.show();

    assertStates(harness, List.of(), "b1", "c1");
    first.complete().orThrow();
    assertStates(harness, List.of("b1"), "c1");
  }

  @Test
  void writeRefused_slotIsWhereItWas() {
    EngineHarness harness = start(StoreKind.FAULTY);
    four(harness);
    Lease first = claim(queue(harness, "a"));
    harness.storeLeases();
    long write = harness.machine().callCount(StoreCall.WRITE);
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, write, Fault.BEFORE));

    assertThatThrownBy(first::complete).isInstanceOf(RuntimeException.class);
    harness.machine().plan(FaultPlan.none());
    harness.engine().reopen();
    first.complete().orThrow();

    assertStates(harness, List.of("b1"), "a2", "c1");
  }

  /** One strict job holds up more that are not than one batch has room for. */
  @Test
  void moreMayGoOnThanABatchHasRoomFor_areLetGoInSteps() {
    EngineHarness harness = start(StoreKind.LMDB);
    int jobCount = 2_500;
    EnqueueOptions many = EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 5_000);
    enqueue(queue(harness, "a"), "a1", ONE);
    enqueue(queue(harness, "b"), "b1", ONE);
    for (int i = 0; i < jobCount; i++) {
      queue(harness, i % 2 == 0 ? "b" : "c").enqueue(("job " + i).getBytes(UTF_8), many);
    }
    assertClean(harness);

    claim(queue(harness, "a")).complete().orThrow();
    harness.crash();
    await(
        "all are ready",
        () ->
            queue(harness, "b").stats().orElseThrow().count(JobState.READY)
                    + queue(harness, "c").stats().orElseThrow().count(JobState.READY)
                == jobCount + 1);

    assertClean(harness);
  }

  @Test
  void jobs_tellWhoseTheirKeyIs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId ofEngine = enqueue(queue(harness, "a"), "a1", ONE);
    JobId ofQueue = enqueue(queue(harness, "a"), "a2", ONE.concurrencyKey("host"));

    assertThat(harness.queues().get(ofEngine).orElseThrow().engineConcurrencyKey())
        .contains("host");
    assertThat(harness.queues().get(ofEngine).orElseThrow().concurrencyKey()).isEmpty();
    assertThat(harness.queues().get(ofQueue).orElseThrow().engineConcurrencyKey()).isEmpty();
    assertThat(harness.queues().get(ofQueue).orElseThrow().concurrencyKey()).contains("host");
  }

  @Test
  void badInput_isRefusedBeforeAnythingHappens() {
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.engineConcurrencyKey("", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "engineConcurrencyKey has a length out of range: value=\"\", UTF-8 bytes=0, least=1,"
                + " most=255");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.engineConcurrencyKey("é".repeat(128), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8 bytes=256, least=1, most=255");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.engineConcurrencyKey("host", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("most is out of range: value=0, least=1, most=1000000");
  }
}

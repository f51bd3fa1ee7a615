package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions.LeasesAtOpen;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueSettings;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slot lost between finish and enqueue, a key with two holders, a key that stays idle. */
class ConcurrencyKeyTrapsTest extends TrapTest {

  private static final EnqueueOptions ADA = EnqueueOptions.DEFAULT.concurrencyKey("ada");
  private static final ClaimOptions BY = ClaimOptions.by("worker");

  private static void three(JobQueue queue) {
    enqueue(queue, "a", ADA);
    enqueue(queue, "b", ADA);
    enqueue(queue, "c", ADA);
  }

  private static void assertStates(EngineHarness harness, List<String> ready, String... blocked) {
    assertThat(peek(mail(harness), JobState.READY)).isEqualTo(ready);
    assertThat(peek(mail(harness), JobState.BLOCKED)).containsExactly(blocked);
    assertClean(harness);
  }

  private static int rowCount(EngineHarness harness, Keyspace keyspace) {
    try (ReadView view = harness.store().read()) {
      return view.scan(keyspace.start(), keyspace.end(), Integer.MAX_VALUE, (key, value) -> true);
    }
  }

  @ParameterizedTest
  @EachStoreKind
  void jobsOfOneKey_areServedOneAfterTheOther(StoreKind kind) {
    EngineHarness harness = start(kind);
    three(mail(harness));
    List<String> served = new ArrayList<>();

    for (int i = 0; i < 3; i++) {
      List<Lease> leases = claim(mail(harness), 10);
      served.addAll(payloads(leases));
      assertThat(leases).hasSize(1);
      assertThat(claim(mail(harness), 10)).isEmpty();
      leases.get(0).complete().orThrow();
    }

    assertThat(served).containsExactly("a", "b", "c");
    assertThat(rowCount(harness, Keyspace.SLOT)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void complete_claimWaitsForTheNextOfTheKey_isServedWithTheSameCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    three(mail(harness));
    Lease first = claim(mail(harness));
    CompletableFuture<List<Lease>> waiting = mail(harness).claimAsync(BY.waiting(ofSeconds(20)));
    assertNotAnswered(harness, waiting);

    first.complete().orThrow();

    assertThat(payloads(join(waiting))).containsExactly("b");
  }

  @ParameterizedTest
  @EachStoreKind
  void crash_holderLeased_isReadyAgainBehindThoseThatAreBlocked(StoreKind kind) {
    EngineHarness harness = start(kind);
    three(mail(harness));
    claim(mail(harness));
    harness.storeLeases();

    harness.crash();

    assertStates(harness, List.of("b"), "c", "a");
  }

  @Test
  void crash_leasesHonoured_keepsTheSlot() {
    EngineHarness harness =
        start(StoreKind.LMDB, Setup.DEFAULT.withLeasesAtOpen(LeasesAtOpen.HONOUR));
    three(mail(harness));
    claim(mail(harness));
    harness.storeLeases();

    harness.crash();

    assertStates(harness, List.of(), "b", "c");
    assertThat(claim(mail(harness), 10)).isEmpty();
  }

  @ParameterizedTest
  @EachStoreKind
  void restart_cleanly_keepsWhoIsReadyAndWhoIsBlocked(StoreKind kind) {
    EngineHarness harness = start(kind);
    three(mail(harness));
    claim(mail(harness));

    harness.restartCleanly();

    assertStates(harness, List.of("a"), "b", "c");
  }

  @Test
  void expiry_ofTheHolder_letsTheNextGoFirst() {
    EngineHarness harness = start(StoreKind.MEMORY);
    three(mail(harness));
    claim(mail(harness));
    harness.storeLeases();

    advance(harness, LEASE_OVER);
    await("the next is ready", () -> peek(mail(harness), JobState.READY).equals(List.of("b")));

    assertStates(harness, List.of("b"), "c", "a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void perKey_raisedWhileJobsAreBlocked_letsThemGoOn(boolean isOfName) {
    EngineHarness harness = start(StoreKind.LMDB);
    three(mail(harness));

    if (isOfName) {
      harness.queues().admin().configure("mail", settings -> settings.perKey(2));
    } else {
      mail(harness).configure(settings -> settings.perKey(2));
    }
    await("two are ready", () -> peek(mail(harness), JobState.READY).size() == 2);

    assertStates(harness, List.of("a", "b"), "c");
  }

  @Test
  void perKey_raisedForANameWhoseQueueIsNotInMemory_isSeenByTheFirstClaim() {
    EngineHarness harness = start(StoreKind.LMDB);
    three(mail(harness));
    harness.restartCleanly();
    harness.queues().admin().configure("mail", settings -> settings.perKey(3));
    assertThat(peek(mail(harness), JobState.BLOCKED)).hasSize(2);

    List<Lease> leases = new ArrayList<>(claim(mail(harness), 10));
    leases.addAll(mail(harness).claim(BY.max(10).waiting(ofSeconds(20))));

    assertThat(leases.size()).isGreaterThan(1);
    await("none is blocked", () -> peek(mail(harness), JobState.BLOCKED).isEmpty());
    assertClean(harness);
  }

  @Test
  void perKey_raisedAndCrashed_goesOnWithTheWalk() {
    EngineHarness harness = start(StoreKind.LMDB);
    three(mail(harness));
    mail(harness).configure(settings -> settings.perKey(3));

    harness.crash();
    List<Lease> leases = new ArrayList<>(claim(mail(harness), 10));
    while (leases.size() < 3) {
      leases.addAll(mail(harness).claim(BY.max(10).waiting(ofSeconds(20))));
    }

    assertThat(payloads(leases)).containsExactlyInAnyOrder("a", "b", "c");
    assertClean(harness);
  }

  @Test
  void pausedQueue_handsOnAsWell() {
    EngineHarness harness = start(StoreKind.MEMORY);
    three(mail(harness));
    Lease first = claim(mail(harness));
    mail(harness).pause();

    first.complete().orThrow();

    assertStates(harness, List.of("b"), "c");
    assertThat(claim(mail(harness), 10)).isEmpty();
  }

  @Test
  void depthMax_countsBlockedJobs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.depthMax(3));
    three(mail(harness));

    assertThat(mail(harness).offer("d".getBytes(UTF_8), ADA).isDone()).isFalse();
    assertClean(harness);
  }

  /** The next job's record cannot be read: nothing of the completion may be left half done. */
  @Test
  void handOn_readFails_completionIsRefusedWholeAndCanBeMadeAgain() {
    UnreadableFactory rows = new UnreadableFactory(StoreKind.MEMORY.newFactory());
    EngineHarness harness =
        started(new EngineHarness(rows, folder.resolve("store"), Setup.DEFAULT::options));
    enqueue(mail(harness), "a", ADA);
    JobAddress second = JobAddress.of(enqueue(mail(harness), "b", ADA)).orElseThrow();
    enqueue(mail(harness), "c", ADA);
    Lease first = claim(mail(harness));
    harness.storeLeases();
    // A blocked job is where the sequence after its birth says.
    rows.hide(new JobAddress(second.queue(), Keyspace.READY, 0, second.birth() + 1).toJobId());

    assertThatThrownBy(first::complete).isInstanceOf(StoreException.class);
    rows.show();

    assertStates(harness, List.of(), "b", "c");
    first.complete().orThrow();
    assertStates(harness, List.of("b"), "c");
  }

  @Test
  void writeRefused_slotIsWhereItWas() {
    EngineHarness harness = start(StoreKind.FAULTY);
    three(mail(harness));
    Lease first = claim(mail(harness));
    harness.storeLeases();
    long write = harness.machine().callCount(StoreCall.WRITE);
    harness.machine().plan(FaultPlan.at(StoreCall.WRITE, write, Fault.BEFORE));

    assertThatThrownBy(first::complete).isInstanceOf(RuntimeException.class);
    harness.machine().plan(FaultPlan.none());
    harness.engine().reopen();
    first.complete().orThrow();

    assertStates(harness, List.of("b"), "c");
  }

  /** Many workers on few keys: never two holders of one, and none is forgotten. */
  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void manyWorkers_fewKeys_neverTwoOfOneAndAllAreServed(StoreKind kind) throws Exception {
    EngineHarness harness = start(kind);
    int jobCount = 200;
    for (int i = 0; i < jobCount; i++) {
      enqueue(
          mail(harness), "k" + i % 5 + " " + i, EnqueueOptions.DEFAULT.concurrencyKey("k" + i % 5));
    }
    Set<String> running = Collections.synchronizedSet(new HashSet<>());
    Map<String, Integer> last = Collections.synchronizedMap(new HashMap<>());
    AtomicInteger left = new AtomicInteger(jobCount);
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(4);

    for (int worker = 0; worker < 4; worker++) {
      new Thread(
              () -> {
                while (left.get() > 0) {
                  for (Lease lease : mail(harness).claim(BY.max(3))) {
                    String[] parts = payload(lease).split(" ");
                    int number = Integer.parseInt(parts[1]);
                    if (!running.add(parts[0]) || last.getOrDefault(parts[0], -1) > number) {
                      wrong.add(payload(lease));
                    }
                    last.put(parts[0], number);
                    running.remove(parts[0]);
                    lease.complete().orThrow();
                    left.decrementAndGet();
                  }
                }
                done.countDown();
              })
          .start();
    }

    done.await();
    assertThat(wrong).isEmpty();
    assertThat(rowCount(harness, Keyspace.SLOT)).isZero();
    assertClean(harness);
  }

  @Test
  void badInput_isRefusedBeforeAnythingHappens() {
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.concurrencyKey(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "concurrencyKey has a length out of range: value=\"\", UTF-8 bytes=0, least=1,"
                + " most=255");
    assertThatThrownBy(() -> EnqueueOptions.DEFAULT.concurrencyKey("é".repeat(128)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8 bytes=256, least=1, most=255");
    assertThatThrownBy(() -> QueueSettings.DEFAULT.perKey(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("perKey is out of range: value=0, least=1, most=1000000");
  }
}

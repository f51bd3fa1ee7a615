package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.AfterCommit;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Unique and concurrency keys that operations of one transaction free, take and ask for. */
@Tag("calls")
class TransactionKeyTrapsTest extends UniqueTrapTest {

  private static final QueueName MAIL = QueueName.of("mail");

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_keyIsHeld_theFunctionIsToldTheHolderAndTheRestHappens(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "worked on");
    Lease lease = claim(mail(harness));
    JobId holder = put(harness, "holder", UNIQUE).jobId();
    AtomicInteger calls = new AtomicInteger();

    JobId told =
        harness
            .queues()
            .transact(
                tx -> {
                  calls.incrementAndGet();
                  tx.complete(lease);
                  JobId id = tx.enqueue(MAIL, bytes("second"), UNIQUE);
                  tx.enqueue(QueueName.of("log"), bytes(id.toString()));
                  return id;
                })
            .orThrow();

    assertThat(told).isEqualTo(holder);
    assertThat(calls).hasValue(2);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("holder");
    assertThat(peek(harness.queues().queue("log"), JobState.READY))
        .containsExactly(holder.toString());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_moreKeysAreHeldThanTheFunctionMayBeCalled_allAreToldAtOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    AtomicInteger calls = new AtomicInteger();
    List<JobId> first = fanOut(harness, calls, 0, 150);
    assertThat(calls).hasValue(1);

    List<JobId> again = fanOut(harness, calls, 0, 150);
    assertThat(calls).hasValue(3);
    List<JobId> more = fanOut(harness, calls, 100, 300);

    assertThat(again).isEqualTo(first);
    assertThat(more.subList(0, 50)).isEqualTo(first.subList(100, 150));
    assertThat(more).doesNotHaveDuplicates();
    assertThat(calls).hasValue(5);
    assertThat(peek(mail(harness), JobState.READY)).hasSize(300);
    assertClean(harness);
  }

  /** One transaction enqueues a job for each number, with the number for its key, if it is free. */
  private static List<JobId> fanOut(EngineHarness harness, AtomicInteger calls, int from, int to) {
    return harness
        .queues()
        .transact(
            tx -> {
              calls.incrementAndGet();
              return IntStream.range(from, to)
                  .mapToObj(
                      i ->
                          tx.enqueue(
                              MAIL, bytes("part"), EnqueueOptions.DEFAULT.unique("part " + i)))
                  .toList();
            })
        .orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_keyIsHeldAndAQueueIsFull_theFunctionThatKnowsTheHolderDecides(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId holder = put(harness, "holder", UNIQUE).jobId();
    harness.queues().queue("log").configure(settings -> settings.depthMax(1));
    enqueue(harness.queues().queue("log"), "full");

    JobId told =
        harness
            .queues()
            .transact(
                tx -> {
                  JobId id = tx.enqueue(MAIL, bytes("second"), UNIQUE);
                  if (!id.equals(holder)) {
                    tx.enqueue(QueueName.of("log"), bytes("new"));
                  }
                  return id;
                })
            .orThrow();

    assertThat(told).isEqualTo(holder);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_keyOfTheJobThatIsCompletedBeforeIt_isFree(StoreKind kind) {
    EngineHarness harness = start(kind);
    put(harness, "first", UNIQUE);
    Lease lease = claim(mail(harness));

    JobId next =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(lease);
                  return tx.enqueue(MAIL, bytes("next"), UNIQUE);
                })
            .orThrow();

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("next");
    assertHeldBy(harness, next);
    harness.crash();
    assertHeldBy(harness, next);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_twoOfOneKeyInANewQueue_theSecondIsToldTheFirst(StoreKind kind) {
    EngineHarness harness = start(kind);

    List<JobId> ids =
        harness
            .queues()
            .transact(
                tx ->
                    List.of(
                        tx.enqueue(MAIL, bytes("first"), UNIQUE),
                        tx.enqueue(MAIL, bytes("second"), UNIQUE)))
            .orThrow();

    assertThat(ids.get(1)).isEqualTo(ids.get(0));
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first");
    assertHeldBy(harness, ids.get(0));
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_replacingOneOfTheSameTransaction_onlyTheLastIsThere(StoreKind kind) {
    EngineHarness harness = start(kind);
    put(harness, "before", UNIQUE);

    List<JobId> ids =
        harness
            .queues()
            .transact(
                tx ->
                    List.of(
                        tx.enqueue(MAIL, bytes("first"), REPLACING),
                        tx.enqueue(MAIL, bytes("second"), REPLACING)))
            .orThrow();

    assertThat(harness.queues().get(ids.get(0))).isEmpty();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("second");
    assertHeldBy(harness, ids.get(1));
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_takenAndCancelledAndTakenAgain_theLastHoldsTheKey(StoreKind kind) {
    EngineHarness harness = start(kind);

    JobId last =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.cancel(tx.enqueue(MAIL, bytes("first"), UNIQUE));
                  return tx.enqueue(MAIL, bytes("second"), UNIQUE);
                })
            .orThrow();

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("second");
    assertHeldBy(harness, last);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_keyOfAStartedJobThatFailsInTheSameTransaction_eachHasItsOwn(StoreKind kind) {
    EngineHarness harness = start(kind);
    put(harness, "started", UNTIL_STARTED);
    Lease lease = claim(mail(harness));

    JobId next =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.fail(lease, "once more");
                  return tx.enqueue(MAIL, bytes("next"), UNTIL_STARTED);
                })
            .orThrow();

    assertHeldBy(harness, next);
    JobId started = lease.jobId();
    assertThat(harness.queues().cancel(started).isDone()).isTrue();
    assertHeldBy(harness, next);
  }

  @ParameterizedTest
  @EachStoreKind
  void redrive_whoseKeyIsFreedBeforeIt_livesAgainAndHoldsIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId dead = put(harness, "dead", UNIQUE).jobId();
    assertThat(claim(mail(harness)).fail("broken", DEAD).isDone()).isTrue();
    JobId holder = put(harness, "holder", UNIQUE).jobId();
    AtomicReference<AfterCommit<RedriveResult>> early = new AtomicReference<>();
    AtomicReference<AfterCommit<RedriveResult>> late = new AtomicReference<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              early.set(tx.redrive(dead));
              tx.cancel(holder);
              late.set(tx.redrive(dead));
            })
        .orThrow();

    assertThat(early.get().get()).isEqualTo(new RedriveResult.Duplicate(holder));
    assertThat(late.get().get()).isEqualTo(new RedriveResult.Redriven());
    assertHeldBy(harness, dead);
  }

  @ParameterizedTest
  @EachStoreKind
  void enqueue_ofTheConcurrencyKeyThatIsGivenUpBeforeIt_theNextIsReady(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobQueue mail = mail(harness);
    EnqueueOptions keyed = EnqueueOptions.DEFAULT.concurrencyKey("account 1");
    enqueue(mail, "first", keyed);
    Lease lease = claim(mail);

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.complete(lease);
              tx.enqueue(MAIL, bytes("second"), keyed);
              tx.enqueue(MAIL, bytes("third"), keyed);
            })
        .orThrow();

    assertThat(peek(mail, JobState.READY)).containsExactly("second");
    assertThat(peek(mail, JobState.BLOCKED)).containsExactly("third");
    assertClean(harness);
    harness.crash();
    assertThat(claim(mail(harness)).complete().isDone()).isTrue();
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("third");
    assertClean(harness);
  }
}

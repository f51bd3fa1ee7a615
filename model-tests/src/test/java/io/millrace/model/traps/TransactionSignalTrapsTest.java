package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.StaleLease;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Signals that are sent and waited for together with other operations. */
@Tag("calls")
class TransactionSignalTrapsTest extends SignalTrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  private static Table<String, String> steps(EngineHarness harness) {
    return harness.queues().table("steps", Codec.TEXT, Codec.TEXT);
  }

  private static AfterCommit<SignalResult> send(Transaction tx, JobId id, String payload) {
    return tx.signal(id, "go", bytes(payload));
  }

  private static List<Object> answers(List<? extends AfterCommit<?>> told) {
    return told.stream().<Object>map(AfterCommit::get).toList();
  }

  private static long count(EngineHarness harness, JobState state) {
    return mail(harness).stats().orElseThrow().count(state);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_withTheResultOfAStep_bothAreThereAfterACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "order");
    Lease lease = claim(mail(harness));

    AfterCommit<WaitResult> told =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.put(steps(harness), "reserve", "7 of them");
                  return tx.waitFor(lease, "paid", Duration.ofDays(7));
                })
            .orThrow();
    assertThat(told.get()).isEqualTo(WaitResult.WAITING);
    lease.close();
    harness.crash();

    assertThat(steps(harness).get("reserve")).contains("7 of them");
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.WAITING);
    advance(harness, Duration.ofDays(7));
    awaitJob(harness, id, JobState.READY, 0);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.TimedOut("paid"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_ofAnotherJobWithTheEndOfThisOne_wakesItInTheSameCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId waiting = waiting(harness, "go");
    enqueue(mail(harness), "pays");
    Lease lease = claim(mail(harness));

    AfterCommit<SignalResult> told =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(lease);
                  return send(tx, waiting, "invoice 17");
                })
            .orThrow();
    assertThat(told.get()).isEqualTo(SignalResult.WOKEN);
    harness.crash();

    Lease woken = claim(mail(harness));
    assertThat(woken.jobId()).isEqualTo(waiting);
    assertThat(woken.wake()).isEqualTo(signalled("go", "invoice 17"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_twiceToANewJobOfANewQueue_bothAreKeptInTheirOrder(StoreKind kind) {
    EngineHarness harness = start(kind);
    List<AfterCommit<SignalResult>> told = new ArrayList<>();

    JobId id =
        harness
            .queues()
            .transact(
                tx -> {
                  JobId child = tx.enqueue(SHIP, bytes("child"));
                  told.add(send(tx, child, "1"));
                  told.add(send(tx, child, "2"));
                  return child;
                })
            .orThrow();
    assertThat(answers(told)).containsExactly(SignalResult.KEPT, SignalResult.KEPT);
    harness.crash();

    for (String payload : List.of("1", "2")) {
      Lease lease = claim(harness.queues().queue(SHIP));
      assertThat(lease.jobId()).isEqualTo(id);
      assertThat(lease.waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
      lease = claim(harness.queues().queue(SHIP));
      assertThat(lease.wake()).isEqualTo(signalled("go", payload));
      assertThat(lease.release().isDone()).isTrue();
    }
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_signalThatTheTransactionHasSent_isTaken(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              told.add(send(tx, id, "1"));
              told.add(send(tx, id, "2"));
              told.add(tx.waitFor(lease, "go"));
              told.add(send(tx, id, "3"));
            })
        .orThrow();
    assertThat(answers(told))
        .containsExactly(
            SignalResult.KEPT, SignalResult.KEPT, WaitResult.SIGNALLED, SignalResult.KEPT);
    harness.crash();

    assertThat(claimedWakes(harness, 3))
        .containsExactly(signalled("go", "1"), signalled("go", "2"), signalled("go", "3"));
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  /** Why each of so many attempts began, each of which waits for the next signal. */
  private static List<Wake> claimedWakes(EngineHarness harness, int count) {
    List<Wake> wakes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Lease lease = claim(mail(harness));
      wakes.add(lease.wake());
      assertThat(lease.waitFor("go").isDone()).isTrue();
    }
    return wakes;
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_toTheJobThatTheTransactionHasWait_wakesItAtOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              told.add(tx.waitFor(lease, "go", Duration.ofDays(1)));
              told.add(tx.signal(id, "other", bytes("kept")));
              told.add(send(tx, id, "1"));
              told.add(send(tx, id, "2"));
            })
        .orThrow();

    assertThat(answers(told))
        .containsExactly(
            WaitResult.WAITING, SignalResult.KEPT, SignalResult.WOKEN, SignalResult.KEPT);
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
    harness.crash();
    assertThat(claimedWakes(harness, 2))
        .containsExactly(signalled("go", "1"), signalled("go", "2"));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_twoJobsAndOneBroadcastThatIsKept_onlyTheFirstHasIt(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "first");
    enqueue(mail(harness), "second");
    List<Lease> leases = claim(mail(harness), 2);
    broadcast(harness, "go", "for one");
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(tx -> leases.forEach(lease -> told.add(tx.waitFor(lease, "go"))))
        .orThrow();

    assertThat(answers(told)).containsExactly(WaitResult.SIGNALLED, WaitResult.WAITING);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first");
    assertThat(peek(mail(harness), JobState.WAITING)).containsExactly("second");
    assertThat(signalRows(harness)).isZero();
    assertThat(timerCount(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_toAJobThatEndsBeforeOrAfterIt_leavesNoRow(StoreKind kind) {
    EngineHarness harness = start(kind);
    mail(harness).configure(settings -> settings.resultRetention(Duration.ofDays(1)));
    List<JobId> ids = IntStream.range(0, 4).mapToObj(i -> enqueue(mail(harness), "job")).toList();
    List<Lease> leases = claim(mail(harness), 3);
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              told.add(send(tx, ids.get(0), "kept for a moment"));
              tx.complete(leases.get(0));
              told.add(send(tx, ids.get(0), "late"));
              told.add(tx.fail(leases.get(1), "broken", FailOptions.PERMANENT));
              told.add(send(tx, ids.get(1), "kept for the dead"));
              told.add(send(tx, ids.get(2), "marked"));
              told.add(tx.cancel(ids.get(2)));
              told.add(tx.waitFor(leases.get(2), "go"));
              told.add(send(tx, ids.get(2), "late"));
              told.add(send(tx, ids.get(3), "kept for a moment"));
              told.add(tx.cancel(ids.get(3)));
              told.add(send(tx, ids.get(3), "late"));
            })
        .orThrow();

    assertThat(answers(told))
        .containsExactly(
            SignalResult.KEPT,
            SignalResult.GONE,
            new FailResult.Died(),
            SignalResult.KEPT,
            SignalResult.KEPT,
            CancelResult.REQUESTED,
            WaitResult.CANCELLED,
            SignalResult.GONE,
            SignalResult.KEPT,
            CancelResult.CANCELLED,
            SignalResult.GONE);
    assertThat(signalRows(harness)).isEqualTo(1);
    assertClean(harness);
    assertThat(mail(harness).deadLetters().redrive(ids.get(1)).isDone()).isTrue();
    assertThat(claim(mail(harness)).waitFor("go")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(mail(harness)).wake()).isEqualTo(signalled("go", "kept for the dead"));
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void signal_asManyAreKeptAsMayBe_roomThatTheTransactionMakesCounts(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    for (int i = 0; i < Limits.INBOX_COUNT_MAX; i++) {
      assertThat(send(harness, id, "go", "" + i)).isEqualTo(SignalResult.KEPT);
    }
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              told.add(send(tx, id, "too many"));
              told.add(tx.waitFor(lease, "go"));
              told.add(send(tx, id, "last"));
              told.add(send(tx, id, "too many"));
              tx.enqueue(SHIP, bytes("happens"));
            })
        .orThrow();

    assertThat(answers(told))
        .containsExactly(
            SignalResult.INBOX_FULL,
            WaitResult.SIGNALLED,
            SignalResult.KEPT,
            SignalResult.INBOX_FULL);
    List<Wake> wakes = claimedWakes(harness, Limits.INBOX_COUNT_MAX + 1);
    assertThat(wakes.get(0)).isEqualTo(signalled("go", "0"));
    assertThat(wakes.get(Limits.INBOX_COUNT_MAX)).isEqualTo(signalled("go", "last"));
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_leaseIsStale_nothingHappensAndNoSignalIsSent(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId waiting = waiting(harness, "go");
    JobId id = enqueue(mail(harness), "a");
    Lease stale = claim(mail(harness));
    assertThat(stale.release().isDone()).isTrue();

    TransactionResult<Boolean> result =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  send(tx, waiting, "1");
                  send(tx, id, "1");
                  tx.waitFor(stale, "go");
                });

    assertThat(result).isEqualTo(new StaleLease<Boolean>(id));
    assertThat(count(harness, JobState.WAITING)).isEqualTo(1);
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_deadlineHasPassedOrIsAnInstant_endsThen(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "over");
    JobId later = enqueue(mail(harness), "later");
    List<Lease> leases = claim(mail(harness), 2);
    Instant now = Instant.ofEpochMilli(harness.clock().epochMs());
    List<AfterCommit<?>> told = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              told.add(tx.waitFor(leases.get(0), "go", Duration.ZERO));
              told.add(tx.waitFor(leases.get(1), "go", now.plusSeconds(5)));
            })
        .orThrow();

    assertThat(answers(told)).containsExactly(WaitResult.TIMED_OUT, WaitResult.WAITING);
    assertThat(claim(mail(harness)).wake()).isEqualTo(new Wake.TimedOut("go"));
    advance(harness, Duration.ofSeconds(5));
    awaitJob(harness, later, JobState.READY, 0);
    assertClean(harness);
  }

  /** So many that one step of a broadcast does not reach all of them. */
  private static final int MANY = 2_500;

  @Test
  void waitFor_whileABroadcastIsUnderWay_isNotReachedByIt() throws InterruptedException {
    EngineHarness harness =
        start(StoreKind.MEMORY, Setup.DEFAULT.withDurability(Durability.BUFFERED));
    IntStream.range(0, MANY).forEach(i -> enqueue(mail(harness), "job " + i));
    JobId id = enqueue(mail(harness), "late");
    List<Lease> leases = claim(mail(harness), MANY + 1);
    List<CompletableFuture<WaitResult>> waits =
        leases.subList(0, MANY).stream().map(lease -> lease.waitForAsync("go")).toList();
    waits.forEach(wait -> assertThat(join(wait)).isEqualTo(WaitResult.WAITING));
    harness.store().holdNextWrite();
    CompletableFuture<?> sent =
        CompletableFuture.runAsync(() -> broadcast(harness, "go", "for all"));
    harness.store().awaitHeld();
    List<AfterCommit<?>> told = new ArrayList<>();
    CompletableFuture<?> late =
        CompletableFuture.runAsync(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          told.add(tx.waitFor(leases.get(MANY), "go"));
                          told.add(send(tx, id, "for one"));
                        })
                    .orThrow());
    awaitRingDepth(harness, 1);
    harness.store().letGo();

    join(late);
    join(sent);

    assertThat(answers(told)).containsExactly(WaitResult.WAITING, SignalResult.WOKEN);
    List<Lease> woken = claim(mail(harness), MANY + 1);
    assertThat(woken).hasSize(MANY + 1);
    assertThat(woken)
        .allSatisfy(
            lease ->
                assertThat(lease.wake())
                    .isEqualTo(signalled("go", lease.jobId().equals(id) ? "for one" : "for all")));
    assertThat(signalRows(harness)).isZero();
    assertClean(harness);
  }

  @Test
  void signal_outOfItsLimits_isTheCallersMistakeAndTheRestMayGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    String longName = "n".repeat(Limits.KEY_BYTES_MAX + 1);

    harness
        .queues()
        .inTransaction(
            tx -> {
              assertThatThrownBy(() -> tx.signal(id, longName, new byte[0]))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("signal")
                  .hasMessageContaining("256");
              assertThatThrownBy(() -> tx.signal(id, "go", new byte[Limits.SIGNAL_BYTES_MAX + 1]))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("4097");
              assertThatThrownBy(() -> tx.waitFor(lease, ""))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("signal");
              assertThatThrownBy(() -> tx.waitFor(lease, "go", Duration.ofSeconds(-1)))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("most");
              tx.enqueue(SHIP, bytes("happens"));
            })
        .orThrow();

    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }
}

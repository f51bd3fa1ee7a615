package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.LeaseLostException;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.TransactionResult;
import io.millrace.api.TransactionResult.Committed;
import io.millrace.api.TransactionResult.StaleLease;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Several operations happen together or not at all, and see what those before them have done. */
@Tag("calls")
class TransactionTrapsTest extends TrapTest {

  private static final QueueName SHIP = QueueName.of("ship");

  private static JobQueue ship(EngineHarness harness) {
    return harness.queues().queue(SHIP);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_completeAndEnqueueNext_bothAreThereAfterACrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "pack");
    Lease lease = claim(mail(harness));

    JobId next =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(lease);
                  return tx.enqueue(SHIP, bytes("send"));
                })
            .orThrow();
    harness.crash();

    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
    assertThat(peek(ship(harness), JobState.READY)).containsExactly("send");
    assertThat(state(harness.queues(), next)).isEqualTo(JobState.READY);
    assertThat(claim(ship(harness)).jobId()).isEqualTo(next);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_oneLeaseIsStale_nothingHappensAndTheResultNamesTheJob(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "first");
    JobId late = enqueue(mail(harness), "late");
    Lease first = claim(mail(harness));
    Lease stale = claim(mail(harness));
    assertThat(stale.release()).isEqualTo(ReleaseResult.RELEASED);
    Lease other = claim(mail(harness));

    TransactionResult<JobId> result =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(first);
                  JobId id = tx.enqueue(SHIP, bytes("send"));
                  tx.complete(stale);
                  return id;
                });

    assertThat(result).isEqualTo(new StaleLease<JobId>(late));
    assertThat(result.isDone()).isFalse();
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("job=" + late);
    assertThat(ship(harness).stats()).isEmpty();
    assertThat(first.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(other.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_leaseRunsOutWhileTheFunctionRuns_nothingHappens(StoreKind kind) {
    EngineHarness harness = start(kind);
    JobId id = enqueue(mail(harness), "slow");
    Lease lease = claim(mail(harness));

    TransactionResult<JobId> result =
        harness
            .queues()
            .transact(
                tx -> {
                  tx.complete(lease);
                  Await.another(() -> advance(harness, LEASE_OVER));
                  return tx.enqueue(SHIP, bytes("send"));
                });

    assertThat(result).isEqualTo(new StaleLease<JobId>(id));
    assertThat(ship(harness).stats()).isEmpty();
    awaitJob(harness, id, JobState.READY, 1);
    assertClean(harness);
  }

  @Test
  void transact_leaseEndsInTheSameGroup_theLaterOneIsStale() throws Exception {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobId id = enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    harness.store().holdNextWrite();
    CompletableFuture<EnqueueResult> before =
        mail(harness).offerAsync(bytes("b"), EnqueueOptions.DEFAULT);
    harness.store().awaitHeld();
    CompletableFuture<CompleteResult> completed = lease.completeAsync();

    CompletableFuture<TransactionResult<Boolean>> result =
        CompletableFuture.supplyAsync(
            () -> harness.queues().inTransaction(tx -> tx.fail(lease, "x")));
    awaitRingDepth(harness, 2);
    harness.store().letGo();

    assertThat(join(before).isDone()).isTrue();
    assertThat(join(completed)).isEqualTo(CompleteResult.COMPLETED);
    assertThat(join(result)).isEqualTo(new StaleLease<Boolean>(id));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_onAJobThatItEnqueued_seesItAndTheBatchAgrees(StoreKind kind) {
    EngineHarness harness = start(kind);
    byte[] large = new byte[20_000];
    Arrays.fill(large, (byte) 7);

    List<AfterCommit<?>> after = new ArrayList<>();
    List<JobId> ids =
        harness
            .queues()
            .transact(
                tx -> {
                  JobId cancelled = tx.enqueue(SHIP, bytes("cancelled"));
                  after.add(tx.cancel(cancelled));
                  after.add(tx.cancel(cancelled));
                  JobId later = tx.enqueue(SHIP, bytes("later"));
                  after.add(
                      tx.reschedule(
                          later, Instant.ofEpochMilli(harness.clock().epochMs()).plusSeconds(60)));
                  JobId changed =
                      tx.enqueue(
                          SHIP,
                          large,
                          EnqueueOptions.DEFAULT.delay(Duration.ofSeconds(5)).header("a", "b"));
                  after.add(tx.update(changed, UpdateOptions.NOTHING.payload(bytes("small"))));
                  JobId first = tx.enqueue(SHIP, bytes("first"));
                  after.add(tx.update(first, UpdateOptions.NOTHING.priority(9)));
                  after.add(tx.redrive(first));
                  return List.of(cancelled, later, changed, first);
                })
            .orThrow();

    assertThat(after.stream().map(AfterCommit::get).toList())
        .isEqualTo(
            List.of(
                CancelResult.CANCELLED,
                CancelResult.GONE,
                RescheduleResult.RESCHEDULED,
                UpdateResult.UPDATED,
                UpdateResult.UPDATED,
                new RedriveResult.NotDead()));
    assertThat(harness.queues().get(ids.get(0))).isEmpty();
    assertThat(state(harness.queues(), ids.get(1))).isEqualTo(JobState.DELAYED);
    Job changed = job(harness.queues(), ids.get(2));
    assertThat(changed.payload()).isEqualTo(bytes("small"));
    assertThat(changed.headers()).containsEntry("a", "b");
    assertThat(job(harness.queues(), ids.get(3)).priority()).isEqualTo(9);
    assertClean(harness);
    harness.crash();
    assertThat(claim(ship(harness)).jobId()).isEqualTo(ids.get(3));
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_allEndsOfLeases_answerAfterTheCommitAndNotBefore(StoreKind kind) {
    EngineHarness harness = start(kind);
    for (int i = 0; i < 6; i++) {
      enqueue(mail(harness), "job " + i);
    }
    List<Lease> leases = claim(mail(harness), 6);
    assertThat(harness.queues().cancel(leases.get(5).jobId())).isEqualTo(CancelResult.REQUESTED);
    AtomicReference<AfterCommit<FailResult>> failed = new AtomicReference<>();
    AtomicReference<AfterCommit<FailResult>> dead = new AtomicReference<>();
    AtomicReference<AfterCommit<ReleaseResult>> released = new AtomicReference<>();
    AtomicReference<AfterCommit<ReleaseResult>> cancelled = new AtomicReference<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.complete(leases.get(0), bytes("result"));
              failed.set(tx.fail(leases.get(1), "timed out"));
              dead.set(tx.fail(leases.get(2), "broken", FailOptions.PERMANENT));
              released.set(tx.release(leases.get(3)));
              tx.snooze(leases.get(4), Duration.ofMinutes(1));
              cancelled.set(tx.release(leases.get(5)));
              assertThatThrownBy(failed.get()::get)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("transaction has not committed");
            })
        .orThrow();

    assertThat(failed.get().get()).isInstanceOf(FailResult.Retried.class);
    assertThat(dead.get().get()).isEqualTo(new FailResult.Died());
    assertThat(released.get().get()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(cancelled.get().get()).isEqualTo(ReleaseResult.CANCELLED);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("job 3");
    assertThat(peek(mail(harness), JobState.DEAD)).containsExactly("job 2");
    assertThat(peek(mail(harness), JobState.DELAYED)).containsExactlyInAnyOrder("job 1", "job 4");
    leases.forEach(Lease::close);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("job 3");
    assertClean(harness);
  }

  @Test
  void transact_functionThrows_nothingHappensAndTheCauseIsThrown() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "a");
    Lease lease = claim(mail(harness));
    IllegalStateException mine = new IllegalStateException("mine");

    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .transact(
                        tx -> {
                          tx.complete(lease);
                          tx.enqueue(SHIP, bytes("send"));
                          throw mine;
                        }))
        .isSameAs(mine);

    assertThat(ship(harness).stats()).isEmpty();
    assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
    assertThat(harness.queues().transact(tx -> tx.enqueue(SHIP, bytes("send"))).isDone()).isTrue();
    assertClean(harness);
  }

  @Test
  void transact_ofNothing_commitsAndStoresNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    long rows = harness.store().rowCount();

    assertThat(harness.queues().transact(tx -> "seen")).isEqualTo(new Committed<>("seen"));

    assertThat(harness.store().rowCount()).isEqualTo(rows);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_manyThreadsIntoANewQueue_everyIdIsItsJobs(StoreKind kind) {
    EngineHarness harness = start(kind);
    Set<JobId> ids = new HashSet<>();

    List<CompletableFuture<List<JobId>>> running =
        IntStream.range(0, 8)
            .mapToObj(
                thread ->
                    CompletableFuture.supplyAsync(
                        () ->
                            IntStream.range(0, 40)
                                .mapToObj(
                                    i ->
                                        harness
                                            .queues()
                                            .transact(
                                                tx -> tx.enqueue(SHIP, bytes(thread + "/" + i)))
                                            .orThrow())
                                .toList()))
            .toList();
    running.forEach(future -> ids.addAll(join(future)));

    assertThat(ids).hasSize(320);
    assertThat(ids).allMatch(id -> state(harness.queues(), id) == JobState.READY);
    assertThat(ship(harness).stats().orElseThrow().count(JobState.READY)).isEqualTo(320);
    assertClean(harness);
    harness.crash();
    assertThat(claim(ship(harness), 320)).extracting(Lease::jobId).containsAll(ids);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_queueComesToBeBesideAnother_eachHasItsNumber(StoreKind kind) {
    EngineHarness harness = start(kind);

    JobId id =
        harness
            .queues()
            .transact(
                tx -> {
                  JobId told = tx.enqueue(SHIP, bytes("send"));
                  Await.another(() -> enqueue(mail(harness), "first"));
                  return told;
                })
            .orThrow();

    assertThat(harness.queues().get(id).orElseThrow().queue()).isEqualTo(SHIP);
    assertThat(peek(ship(harness), JobState.READY)).containsExactly("send");
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("first");
    assertClean(harness);
    harness.crash();
    enqueue(harness.queues().queue("third"), "third");
    assertThat(peek(ship(harness), JobState.READY)).containsExactly("send");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_queueDeletedOrStoreOpenedAgainMeanwhile_functionIsCalledAnew(StoreKind kind) {
    EngineHarness harness = start(kind);
    assertThat(harness.queues().transact(tx -> tx.enqueue(SHIP, bytes("old"))).isDone()).isTrue();
    assertThat(ship(harness).delete()).isTrue();
    enqueue(ship(harness), "ahead");
    AtomicInteger calls = new AtomicInteger();

    JobId id =
        harness
            .queues()
            .transact(
                tx -> {
                  calls.incrementAndGet();
                  return tx.enqueue(SHIP, bytes("new"));
                })
            .orThrow();

    assertThat(calls).hasValue(2);
    assertThat(state(harness.queues(), id)).isEqualTo(JobState.READY);
    assertThat(peek(ship(harness), JobState.READY)).containsExactly("ahead", "new");
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void transact_othersEnqueueWhileTheFunctionRuns_lineIsInTheOrderOfTheCommits(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(ship(harness), "1");

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.enqueue(SHIP, bytes("3"));
              Await.another(() -> enqueue(ship(harness), "2"));
              tx.enqueue(SHIP, bytes("4"));
            })
        .orThrow();

    assertThat(peek(ship(harness), JobState.READY)).containsExactly("1", "2", "3", "4");
    harness.crash();
    assertThat(payloads(claim(ship(harness), 4))).containsExactly("1", "2", "3", "4");
    assertClean(harness);
  }

  @Test
  void transact_claimWaitsForTheJob_isServedInItsCommit() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<List<Lease>> waiting =
        ship(harness).claimAsync(ClaimOptions.by("worker").waiting(Duration.ofSeconds(10)));

    JobId id = harness.queues().transact(tx -> tx.enqueue(SHIP, bytes("send"))).orThrow();

    assertThat(join(waiting)).extracting(Lease::jobId).containsExactly(id);
    assertClean(harness);
  }

  @Test
  void transact_throughABufferedHandle_waitsForNoSync() {
    EngineHarness harness = start(StoreKind.MEMORY);

    assertThat(
            harness
                .queues()
                .with(Durability.BUFFERED)
                .transact(tx -> tx.enqueue(SHIP, bytes("a")))
                .isDone())
        .isTrue();
    assertClean(harness);
  }
}

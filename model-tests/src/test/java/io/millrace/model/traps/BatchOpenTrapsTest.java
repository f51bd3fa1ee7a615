package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.Batches;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.EnqueueResult;
import io.millrace.api.EnqueueResult.BatchOver;
import io.millrace.api.EnqueueResult.QueueFull;
import io.millrace.api.Enqueued;
import io.millrace.api.JobEnd;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.Submitted;
import io.millrace.api.TransactionResult;
import io.millrace.api.UniqueKey;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Batches that grow: while they are open, and by the jobs that are theirs. */
class BatchOpenTrapsTest extends BatchTrapTest {

  private static final UniqueKey KEY = UniqueKey.of("welcome:ada");

  private static Batches batches(EngineHarness harness) {
    return harness.queues().batches();
  }

  private static JobQueue other(EngineHarness harness) {
    return harness.queues().queue(OTHER);
  }

  private static EnqueueResult offer(EngineHarness harness, BatchId id) {
    return mail(harness).offer(new byte[1], in(id));
  }

  private static void assertTakesNone(EngineHarness harness, BatchId id) {
    BatchOver over = new BatchOver(MAIL, id);
    assertThat(offer(harness, id)).isEqualTo(over);
    assertThat(mail(harness).offerAll(Collections.nCopies(2, new NewJob(new byte[1], in(id)))))
        .containsExactly(over, over);
    assertThatThrownBy(() -> mail(harness).enqueue(new byte[1], in(id)))
        .isInstanceOf(EnqueueRefusedException.class)
        .hasMessageContaining("batch " + id);
    assertThat(harness.queues().transact(tx -> tx.enqueue(MAIL, new byte[1], in(id))))
        .isEqualTo(new TransactionResult.Refused<>(over));
    assertThat(mail(harness).stats().map(stats -> stats.count(JobState.READY)).orElse(0L)).isZero();
  }

  @ParameterizedTest
  @EachStoreKind
  void open_noJobIsLeft_isNotOverBeforeItsSeal(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = open(harness, watched("a"));
    assertThat(stats(harness, id).isSealed()).isFalse();
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=1 not over");
    assertNothingAfter(harness);
    harness.crash();
    assertNothingAfter(harness);

    assertThat(offer(harness, id).isDone()).isTrue();
    assertFigures(harness, id, "left=1 succeeded=1 not over");
    claim(mail(harness)).complete().orThrow();
    batches(harness).seal(id);

    assertFigures(harness, id, "succeeded=2 over");
    assertThat(stats(harness, id).isSealed()).isTrue();
    assertAllSucceeded(harness);
    harness.crash();
    assertAllSucceeded(harness);
    assertFigures(harness, id, "succeeded=2 over");
    assertClean(harness);
  }

  @Test
  void seal_ofAnEmptyBatch_isItsEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = watched().open(harness.queues());
    assertFigures(harness, id, "not over");
    harness.clock().advanceMs(5_000);

    batches(harness).seal(id);

    assertFigures(harness, id, "over");
    assertThat(stats(harness, id).endedAt())
        .hasValue(stats(harness, id).startedAt().plusMillis(5_000));
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void seal_again_doesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched("a"));
    batches(harness).seal(id);
    batches(harness).seal(id);
    assertFigures(harness, id, "left=1 not over");
    claim(mail(harness)).complete().orThrow();
    var over = stats(harness, id);
    harness.clock().advanceMs(1_000);

    batches(harness).seal(id);

    assertThat(stats(harness, id)).isEqualTo(over);
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void seal_ofABatchThatIsNotThere_saysSo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = new BatchId(123_456);

    assertThatThrownBy(() -> batches(harness).seal(id))
        .isInstanceOfSatisfying(NoSuchBatchException.class, e -> assertThat(e.id()).isEqualTo(id));
    assertThat(batches(harness).get(id)).isEmpty();
  }

  /** An id of a job is none of a batch. */
  @Test
  void enqueue_batchThatTakesNone_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId over = begin(harness, Batch.of("over"));
    BatchId cancelled = open(harness, Batch.of("cancelled"));
    assertThat(batches(harness).cancel(cancelled)).isEmpty();
    BatchId running = open(harness, Batch.of("runs").add(OTHER, job("a")));
    assertThat(batches(harness).cancel(running)).hasSize(1);
    BatchId unknown = new BatchId(123_456);

    for (BatchId id : List.of(over, cancelled, running, unknown, new BatchId(Long.MAX_VALUE))) {
      assertTakesNone(harness, id);
    }

    assertThat(batches(harness).get(unknown)).isEmpty();
    assertFigures(harness, over, "over");
    assertClean(harness);
  }

  @Test
  void enqueue_batchThatTakesNone_queueDoesNotComeToBe() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId over = begin(harness, Batch.of("over"));

    assertThat(mail(harness).offer(new byte[1], in(over))).isEqualTo(new BatchOver(MAIL, over));
    assertThat(mail(harness).offerAll(List.of(job("a", in(over)), job("b", in(over)))))
        .containsOnly(new BatchOver(MAIL, over));

    assertThat(harness.queues().stats(MAIL)).isEmpty();
  }

  /** It is over with its last job, and yet this one adds another while it runs. */
  @ParameterizedTest
  @EachStoreKind
  void enqueue_byTheLastJobOfASealedBatch_isOfTheBatch(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));

    other(harness).enqueue(new byte[1], PLAIN.batch(lease.batch().orElseThrow()));
    lease.complete().orThrow();

    assertFigures(harness, id, "left=1 succeeded=1 not over");
    assertNothingAfter(harness);
    harness.crash();
    claim(other(harness)).complete().orThrow();
    assertAllSucceeded(harness);
    assertFigures(harness, id, "succeeded=2 over");
    assertClean(harness);
    assertTakesNone(harness, id);
  }

  @ParameterizedTest
  @EachStoreKind
  void transaction_addsAndCompletesTheLastJob_isOneCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.enqueue(OTHER, new byte[1], in(id));
              tx.complete(lease);
            })
        .orThrow();

    assertFigures(harness, id, "left=1 succeeded=1 not over");
    assertNothingAfter(harness);
    harness.crash();
    assertFigures(harness, id, "left=1 succeeded=1 not over");
    claim(other(harness)).complete().orThrow();
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** The job runs until the commit, whatever the order in which its function asks. */
  @Test
  void transaction_completesTheLastJobAndAddsOne_batchGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.complete(lease);
              tx.enqueue(OTHER, new byte[1], in(id));
            })
        .orThrow();

    assertFigures(harness, id, "left=1 succeeded=1 not over");
    assertNothingAfter(harness);
    claim(other(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=2 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void transaction_thatIsRefused_countsNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));
    assertThat(other(harness).drain(Duration.ZERO)).isNotNull();

    TransactionResult<Boolean> result =
        harness
            .queues()
            .inTransaction(
                tx -> {
                  tx.complete(lease);
                  tx.enqueue(MAIL, new byte[1], in(id));
                  tx.enqueue(OTHER, new byte[1], in(id));
                });

    assertThat(result).isInstanceOf(TransactionResult.Refused.class);
    assertFigures(harness, id, "left=1 running=1 not over");
    assertClean(harness);
    lease.complete().orThrow();
    assertFigures(harness, id, "succeeded=1 over");
    assertAllSucceeded(harness);
  }

  @Test
  void transaction_ofAStaleLease_addsNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    Lease lease = claim(mail(harness));
    lease.release().orThrow();

    assertThat(
            harness
                .queues()
                .inTransaction(
                    tx -> {
                      tx.enqueue(OTHER, new byte[1], in(id));
                      tx.complete(lease);
                    })
                .isDone())
        .isFalse();

    assertFigures(harness, id, "left=1 not over");
    assertClean(harness);
  }

  @Test
  void transaction_addsToSeveralBatches_eachCountsItsOwn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId first = open(harness, Batch.of("first"));
    BatchId second = open(harness, Batch.of("second"));

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.enqueue(MAIL, new byte[1], in(first));
              tx.enqueue(MAIL, new byte[1], in(second));
              tx.enqueue(MAIL, new byte[1], in(first));
              tx.enqueue(MAIL, new byte[1]);
            })
        .orThrow();

    assertFigures(harness, first, "left=2 not over");
    assertFigures(harness, second, "left=1 not over");
    assertClean(harness);
  }

  /** A job that the transaction itself adds, and cancels again. */
  @Test
  void transaction_addsAndCancelsAJob_countsItAsCancelled() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched());

    harness.queues().transact(tx -> tx.cancel(tx.enqueue(MAIL, new byte[1], in(id)))).orThrow();

    assertFigures(harness, id, "cancelled=1 not over");
    batches(harness).seal(id);
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  @Test
  void enqueueAll_ofSeveralBatches_isRefusedAndNothingHappened() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId first = open(harness, Batch.of("first"));
    BatchId second = open(harness, Batch.of("second"));
    List<List<NewJob>> mixed =
        List.of(
            List.of(job("a", in(first)), job("b", in(second))),
            List.of(job("a", in(first)), job("b")),
            List.of(job("a"), job("b", in(first))));

    for (List<NewJob> jobs : mixed) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> mail(harness).enqueueAll(jobs))
          .withMessageContaining("batch");
      assertThatIllegalArgumentException().isThrownBy(() -> mail(harness).offerAllAsync(jobs));
    }

    assertFigures(harness, first, "not over");
    assertFigures(harness, second, "not over");
    assertThat(mail(harness).stats()).isEmpty();
    assertClean(harness);
  }

  @Test
  void enqueueAll_someFindNoRoom_onlyTheOthersCount() {
    EngineHarness harness = start(StoreKind.MEMORY);
    mail(harness).configure(settings -> settings.depthMax(2));
    BatchId id = open(harness, watched());

    List<EnqueueResult> results =
        mail(harness).offerAll(Collections.nCopies(3, new NewJob(new byte[1], in(id))));

    assertThat(results.get(2)).isEqualTo(new QueueFull(MAIL, 2));
    assertFigures(harness, id, "left=2 not over");
    batches(harness).seal(id);
    completeAll(harness, mail(harness), 2);
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void enqueueAll_withDuplicates_countsNewJobsOnly() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Enqueued outside = mail(harness).enqueue(new byte[1], PLAIN.unique(KEY));
    BatchId id = open(harness, watched());
    UniqueKey own = UniqueKey.of("own");

    List<Enqueued> results =
        mail(harness)
            .enqueueAll(
                List.of(
                    job("a", in(id).unique(KEY)),
                    job("b", in(id)),
                    job("c", in(id).unique(own)),
                    job("d", in(id).unique(own)),
                    job("e", in(id).unique(own.replace()))));

    assertThat(results)
        .extracting(Enqueued::kind)
        .containsExactly(
            Enqueued.Kind.DUPLICATE,
            Enqueued.Kind.NEW,
            Enqueued.Kind.NEW,
            Enqueued.Kind.DUPLICATE,
            Enqueued.Kind.REPLACED);
    assertThat(results.get(0)).isEqualTo(Enqueued.duplicateOf(outside.jobId()));
    assertFigures(harness, id, "left=2 cancelled=1 not over");
    assertClean(harness);
  }

  /** The last job of a sealed batch is replaced by a job that joins the same batch. */
  @Test
  void enqueue_replacesTheLastJobOfItsBatch_batchGoesOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched().add(MAIL, job("a", PLAIN.unique(KEY))));

    Enqueued result = mail(harness).enqueue(new byte[1], in(id).unique(KEY.replace()));

    assertThat(result.kind()).isEqualTo(Enqueued.Kind.REPLACED);
    assertFigures(harness, id, "left=1 cancelled=1 not over");
    assertNothingAfter(harness);
    claim(mail(harness)).complete().orThrow();
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  @Test
  void submit_intoABatch_counts() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched());
    Submitted<byte[]> submitted = mail(harness).submit(new byte[1], in(id));
    batches(harness).seal(id);
    assertFigures(harness, id, "left=1 not over");

    claim(mail(harness)).complete().orThrow();

    assertThat(join(submitted.end())).isInstanceOf(JobEnd.Completed.class);
    assertAllSucceeded(harness);
    assertThatThrownBy(() -> mail(harness).submit(new byte[1], in(id)))
        .isInstanceOf(EnqueueRefusedException.class);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void batch_growsByCallsAndByItsJobs_toMoreThanOneCallTakes(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = open(harness, watched());
    for (int i = 0; i < 3; i++) {
      mail(harness).enqueueAll(Collections.nCopies(5_000, new NewJob(new byte[1], in(id))));
    }
    batches(harness).seal(id);
    List<Lease> leases = claim(mail(harness), 10_000);
    other(harness).enqueueAll(Collections.nCopies(1_000, new NewJob(new byte[1], in(id))));
    assertFigures(harness, id, "left=16000 running=10000 not over");

    assertThat(harness.queues().completeAll(leases)).allMatch(result -> result.isDone());
    completeAll(harness, mail(harness), 5_000);
    assertNothingAfter(harness);
    harness.crash();
    completeAll(harness, other(harness), 1_000);

    assertFigures(harness, id, "succeeded=16000 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void job_snoozedAndRetriedAndWaitingForASignal_isLeftAllTheTime() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched().add(MAIL, job("a", AT_ONCE_AGAIN)));
    claim(mail(harness)).snooze(Duration.ofSeconds(1)).orThrow();
    assertFigures(harness, id, "left=1 not over");
    pass(harness, Duration.ofSeconds(1));
    claim(mail(harness)).fail("broken").orThrow();
    assertFigures(harness, id, "left=1 not over");
    harness.awaitNothingDue();
    Lease lease = claim(mail(harness));
    assertThat(lease.waitFor("signal").isDone()).isTrue();
    assertFigures(harness, id, "left=1 not over");
    assertThat(harness.queues().signal(lease.jobId(), "signal").isDone()).isTrue();
    assertFigures(harness, id, "left=1 not over");
    assertNothingAfter(harness);
    claim(mail(harness)).complete().orThrow();
    assertAllSucceeded(harness);
    assertClean(harness);
  }
}

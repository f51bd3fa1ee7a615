package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Codec;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.JobOutput;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.api.Table;
import io.millrace.api.Transaction;
import io.millrace.api.TransactionResult;
import io.millrace.api.UniqueKey;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that transactions start: all of one is there with the commit, or nothing. */
@Tag("calls")
class BatchTransactionTrapsTest extends BatchTrapTest {

  private static final EnqueueOptions KEYED = PLAIN.unique(UniqueKey.of("key"));

  private static List<BatchStats> listed(EngineHarness harness) {
    return harness.queues().batches().list(PageRequest.first(9)).items();
  }

  private static <R> R transact(EngineHarness harness, Function<Transaction, R> work) {
    return harness.queues().transact(work).orThrow();
  }

  private static void assertNothingOfABatch(EngineHarness harness) {
    assertThat(listed(harness)).isEmpty();
    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
    assertThat(peek(after(harness), JobState.WAITING)).isEmpty();
    assertClean(harness);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1_000})
  void start_hasMoreOperationsThanMay_nothingOfItHappensAndTheRestDoes(int tooMany) {
    EngineHarness harness = start(StoreKind.MEMORY);
    Batch batch = watched();
    for (int i = 0; i < 2_000; i++) {
      batch.add(MAIL, job("a"));
    }
    int ofBatch = 2_000 + 3 + 2; // what comes after it, itself and its seal
    int others = Limits.TRANSACTION_OPERATION_COUNT_MAX - ofBatch + tooMany;

    harness
        .queues()
        .inTransaction(
            tx -> {
              for (int i = 0; i < others; i++) {
                tx.enqueue(OTHER, new byte[] {'o'});
              }
              if (tooMany == 0) {
                tx.start(batch);
              } else {
                assertThatIllegalArgumentException().isThrownBy(() -> tx.start(batch));
              }
            })
        .orThrow();

    assertThat(harness.queues().queue(OTHER).stats().orElseThrow().count(JobState.READY))
        .isEqualTo(others);
    if (tooMany == 0) {
      assertFigures(harness, listed(harness).get(0).id(), "left=2000 not over");
      assertClean(harness);
    } else {
      assertNothingOfABatch(harness);
    }
  }

  @Test
  void start_hasMoreBytesThanMay_takesNoRoomFromTheRest() {
    EngineHarness harness = start(StoreKind.MEMORY);
    NewJob half = NewJob.of(new byte[Limits.CALL_BYTES_MAX / 2]);
    Batch large = Batch.of("large").add(MAIL, half).add(MAIL, half);

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.enqueue(OTHER, new byte[1]);
              assertThatIllegalArgumentException().isThrownBy(() -> tx.start(large));
              tx.enqueue(OTHER, half.payload());
            })
        .orThrow();

    assertThat(harness.queues().queue(OTHER).stats().orElseThrow().count(JobState.READY))
        .isEqualTo(2);
    assertNothingOfABatch(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_ofAsManyJobsAsMayBe_isOneCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    Batch batch = Batch.of("b");
    NewJob job = NewJob.of(new byte[Limits.CALL_BYTES_MAX / Limits.CALL_JOB_COUNT_MAX]);
    Collections.nCopies(Limits.CALL_JOB_COUNT_MAX, job).forEach(each -> batch.add(MAIL, each));

    BatchId id = transact(harness, tx -> tx.start(batch));

    assertFigures(harness, id, "left=10000 not over");
  }

  @Test
  void waitFor_besideWhatComesAfterTheBatch_areTogetherNoMoreThanMay() {
    EngineHarness harness = start(StoreKind.MEMORY);
    after(harness).enqueueAll(Collections.nCopies(Limits.BATCH_WAITER_COUNT_MAX, job("parent")));
    List<Lease> parents = claim(after(harness), Limits.BATCH_WAITER_COUNT_MAX);
    List<Lease> most = parents.subList(3, parents.size());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> transact(harness, tx -> startAndWait(tx, parents)))
        .withMessageContaining("most=32");
    BatchId id = transact(harness, tx -> startAndWait(tx, most));

    assertThat(peek(after(harness), JobState.WAITING)).hasSize(Limits.BATCH_WAITER_COUNT_MAX);
    assertClean(harness);
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=1 over");
    assertThat(peek(after(harness), JobState.READY)).hasSize(most.size() + 2);
    assertClean(harness);
  }

  private static BatchId startAndWait(Transaction tx, List<Lease> parents) {
    BatchId id = tx.start(watched("x"));
    parents.forEach(lease -> tx.waitFor(lease, id));
    return id;
  }

  @Test
  void start_queueHasRoomForFewerThanComeAfterTheBatch_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    after(harness).configure(settings -> settings.depthMax(2));

    assertThatThrownBy(() -> begin(harness, watched("x")))
        .isInstanceOf(EnqueueRefusedException.class);
    assertThat(harness.queues().transact(tx -> tx.start(watched("x"))))
        .isInstanceOf(TransactionResult.Refused.class);

    assertNothingOfABatch(harness);
    after(harness).configure(settings -> settings.depthMax(3));
    assertFigures(harness, transact(harness, tx -> tx.start(watched("x"))), "left=1 not over");
    assertClean(harness);
  }

  /** The first call of the function asks for more operations before the batch than the second. */
  @ParameterizedTest
  @EachStoreKind
  void start_functionIsCalledAnew_resultsAreInTheOrderOfAdding(StoreKind kind) {
    EngineHarness harness = start(kind);
    Table<String, Long> table = harness.queues().table("rows", Codec.TEXT, Codec.LONG);
    AtomicInteger calls = new AtomicInteger();

    BatchId id =
        transact(
            harness,
            tx -> {
              calls.incrementAndGet();
              if (tx.get(table, "row").isEmpty()) {
                tx.put(table, "other", 1L);
                CompletableFuture.runAsync(() -> table.put("row", 1L)).join();
              }
              Batch batch = Batch.of("b").keepResults();
              return tx.start(batch.add(MAIL, job("0")).add(MAIL, job("1")).add(MAIL, job("2")));
            });
    claim(mail(harness), 3).forEach(lease -> lease.complete(lease.payload()).orThrow());

    assertThat(calls).hasValue(2);
    assertThat(Page.stream(page -> harness.queues().batches().results(id, page)))
        .extracting(JobOutput::result)
        .extracting(result -> new String(result, UTF_8))
        .containsExactly("0", "1", "2");
    assertFigures(harness, id, "succeeded=3 over");
    assertThat(listed(harness)).hasSize(1);
    assertClean(harness);
  }

  @Test
  void start_keysOfItsJobsAreHeld_countsTheOthersAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "holder", KEYED);
    EnqueueOptions own = PLAIN.unique(UniqueKey.of("own"));
    Batch batch =
        watched("a")
            .add(MAIL, job("not there", KEYED))
            .add(MAIL, job("b", own))
            .add(MAIL, job("not there", own));

    BatchId id = transact(harness, tx -> tx.start(batch));
    BatchId empty = transact(harness, tx -> tx.start(Batch.of("e").add(MAIL, job("not", KEYED))));

    assertThat(peek(mail(harness), JobState.READY)).containsExactly("holder", "a", "b");
    assertFigures(harness, id, "left=2 not over");
    assertFigures(harness, empty, "over");
    completeAll(harness, mail(harness), 3);
    assertFigures(harness, id, "succeeded=2 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void start_aQueueRefusesOrALeaseIsStale_leavesNothing() {
    EngineHarness harness = start(StoreKind.MEMORY);
    QueueName draining = QueueName.of("draining");
    enqueue(harness.queues().queue(draining), "x");
    assertThat(harness.queues().queue(draining).drain(Duration.ZERO)).isNotNull();
    after(harness).enqueue(new byte[0]);
    Lease stale = claim(after(harness));
    stale.complete().orThrow();

    assertThat(harness.queues().transact(tx -> tx.start(watched("a").add(draining, job("b")))))
        .isInstanceOf(TransactionResult.Refused.class);
    assertThat(
            harness
                .queues()
                .transact(
                    tx -> {
                      BatchId id = tx.start(watched("a"));
                      return tx.waitFor(stale, id);
                    }))
        .isInstanceOf(TransactionResult.StaleLease.class);

    assertNothingOfABatch(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_numbersAreOutdated_functionIsToldOthersAndTheBatchIsThereOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId first = transact(harness, tx -> tx.start(watched("a")));
    completeAll(harness, mail(harness), 1);
    assertThat(mail(harness).delete()).isTrue();
    harness.awaitNothingDue();
    AtomicInteger calls = new AtomicInteger();

    BatchId second =
        transact(
            harness,
            tx -> {
              calls.incrementAndGet();
              BatchId id = tx.start(watched("b"));
              tx.enqueue(MAIL, id.toString().getBytes(UTF_8), in(id));
              return id;
            });

    assertThat(calls.get()).isGreaterThan(1);
    assertThat(listed(harness)).extracting(BatchStats::id).containsExactly(first, second);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("b", second.toString());
    assertFigures(harness, second, "left=2 not over");
    assertClean(harness);
  }

  @Test
  void seal_ofABatchThatIsNotThere_isToldAndTheRestHappens() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId open = open(harness, watched());
    List<AfterCommit<Boolean>> sealed = new ArrayList<>();

    harness
        .queues()
        .inTransaction(
            tx -> {
              sealed.clear();
              sealed.add(tx.seal(new BatchId(1_000)));
              sealed.add(tx.seal(open));
            })
        .orThrow();

    assertThat(sealed).extracting(AfterCommit::get).containsExactly(false, true);
    assertFigures(harness, open, "over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** What comes after a batch that failed brings it back, and waits until it is over once more. */
  @ParameterizedTest
  @EachStoreKind
  void waitFor_ofABatchThatTheSameTransactionBringsBack_goesOnWithItsNextEnd(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    Lease dies = claim(mail(harness));
    dies.fail("no", DEAD).orThrow();
    List<Lease> woken = claim(after(harness), 9);
    assertThat(payloads(woken)).containsExactlyInAnyOrder(DONE, ANY_DIED);

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.redrive(dies.jobId());
              woken.forEach(lease -> tx.waitFor(lease, id));
            })
        .orThrow();

    assertClean(harness);
    harness.crash();
    assertNothingAfter(harness);
    claim(mail(harness)).complete().orThrow();
    List<Lease> again = claim(after(harness), 9);
    assertThat(payloads(again)).containsExactlyInAnyOrder(DONE, ANY_DIED, ALL_SUCCEEDED);
    assertThat(again).extracting(Lease::wake).containsOnly(new Wake.AfterBatch(id));
    assertThat(again).extracting(Lease::attempt).containsOnly(1);
    assertClean(harness);
  }
}

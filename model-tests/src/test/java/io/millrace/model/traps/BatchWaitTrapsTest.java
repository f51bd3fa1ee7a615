package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.PageRequest;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Waits of leased jobs for batches: none is lost, whatever comes first. */
@Tag("calls")
class BatchWaitTrapsTest extends BatchTrapTest {

  /** A job that is leased, and waits for nothing yet. */
  private static Lease parent(EngineHarness harness) {
    after(harness).enqueue("parent".getBytes(UTF_8));
    return claim(after(harness));
  }

  private static Lease child(EngineHarness harness) {
    return claim(mail(harness));
  }

  private static void assertGoesOnAfter(EngineHarness harness, JobId job, BatchId batch) {
    Lease next = claim(after(harness));
    assertThat(next.jobId()).isEqualTo(job);
    assertThat(next.wake()).isEqualTo(new Wake.AfterBatch(batch));
    assertThat(next.attempt()).isOne();
    next.complete().orThrow();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_jobsAreLeft_goesOnWithTheLastOfThem(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId batch = begin(harness, Batch.of("b").add(MAIL, job("x")).add(MAIL, job("y")));
    Lease parent = parent(harness);

    assertThat(parent.waitFor(batch)).isEqualTo(WaitResult.WAITING);
    assertThat(job(harness.queues(), parent.jobId()).state()).isEqualTo(JobState.WAITING);
    assertThat(job(harness.queues(), parent.jobId()).waitsForBatch()).hasValue(batch);
    assertClean(harness);
    harness.crash();
    child(harness).complete().orThrow();
    assertThat(claim(after(harness), 1)).isEmpty();
    child(harness).fail("no", DEAD).orThrow();
    assertGoesOnAfter(harness, parent.jobId(), batch);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_batchIsOver_goesOnAtOnce(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId batch = begin(harness, Batch.of("empty"));
    Lease parent = parent(harness);

    assertThat(parent.waitFor(batch)).isEqualTo(WaitResult.BATCH_OVER);
    assertGoesOnAfter(harness, parent.jobId(), batch);
  }

  @Test
  void waitFor_batchThatIsGone_isRefusedAndTheLeaseIsCurrent() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Lease parent = parent(harness);

    assertThatThrownBy(() -> parent.waitFor(new BatchId(1_000)).orThrow())
        .isInstanceOf(NoSuchBatchException.class);
    parent.complete().orThrow();
  }

  @Test
  void waitFor_ownBatchOrOneAroundIt_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId outer = open(harness, Batch.of("outer"));
    BatchId inner = begin(harness, Batch.of("inner").within(outer).add(MAIL, job("x")));
    Lease child = child(harness);

    for (BatchId own : List.of(inner, outer)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> child.waitFor(own).orThrow())
          .withMessageContaining("own batch")
          .withMessageContaining(own.toString());
    }
    child.complete().orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_moreJobsThanMay_isRefusedUntilOneWaitsNoLonger(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId batch = open(harness, Batch.of("b").whenDone(AFTER, job(DONE)));
    for (int i = 1; i < Limits.BATCH_WAITER_COUNT_MAX; i++) {
      assertThat(parent(harness).waitFor(batch)).isEqualTo(WaitResult.WAITING);
    }
    Lease oneMore = parent(harness);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> oneMore.waitFor(batch).orThrow())
        .withMessageContaining("most=32")
        .withMessageContaining("batch=" + batch);
    harness.queues().cancel(waitingAfter(harness, "parent")).orThrow();
    assertThat(oneMore.waitFor(batch)).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
    harness.queues().batches().seal(batch);
    assertThat(peek(after(harness), JobState.WAITING)).isEmpty();
    assertThat(peek(after(harness), JobState.READY)).hasSize(Limits.BATCH_WAITER_COUNT_MAX);
  }

  @Test
  void waitFor_manyJobsInOneTransaction_areNoMoreThanMay() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId batch = open(harness, Batch.of("b"));
    for (int i = 0; i <= Limits.BATCH_WAITER_COUNT_MAX; i++) {
      after(harness).enqueue("parent".getBytes(UTF_8));
    }
    List<Lease> leases = claim(after(harness), Limits.BATCH_WAITER_COUNT_MAX + 1);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(tx -> leases.forEach(lease -> tx.waitFor(lease, batch)))
                    .orThrow())
        .withMessageContaining("most=32");
    leases.get(0).complete().orThrow();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_inTheTransactionThatEndsTheLastJob_goesOnWithThatCommit(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId batch = begin(harness, Batch.of("b").add(MAIL, job("x")));
    Lease parent = parent(harness);
    Lease child = child(harness);

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.complete(child);
              tx.waitFor(parent, batch);
            })
        .orThrow();
    assertGoesOnAfter(harness, parent.jobId(), batch);
  }

  @ParameterizedTest
  @EachStoreKind
  void start_inATransactionThatWaitsForIt_isOneCommitWithAllThatJoins(StoreKind kind) {
    EngineHarness harness = start(kind);
    Lease parent = parent(harness);

    BatchId batch =
        harness
            .queues()
            .transact(
                tx -> {
                  BatchId id = tx.start(watched("x"));
                  tx.enqueue(MAIL, new byte[] {'y'}, in(id));
                  BatchId inner = tx.open(Batch.of("inner").within(id).add(OTHER, job("z")));
                  AfterCommit<Boolean> sealed = tx.seal(inner);
                  AfterCommit<WaitResult> waits = tx.waitFor(parent, id);
                  assertThatThrownBy(sealed::get).isInstanceOf(IllegalStateException.class);
                  assertThatThrownBy(waits::get).isInstanceOf(IllegalStateException.class);
                  return id;
                })
            .orThrow();

    assertFigures(harness, batch, "left=3 not over");
    assertClean(harness);
    harness.crash();
    assertFigures(harness, batch, "left=3 not over");
    claim(mail(harness), 2).forEach(lease -> lease.complete().orThrow());
    assertThat(claim(after(harness), 1)).isEmpty();
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    assertFigures(harness, batch, "succeeded=3 over");
    assertThat(payloads(claim(after(harness), 9)))
        .containsExactlyInAnyOrder(DONE, ALL_SUCCEEDED, "parent");
    assertClean(harness);
  }

  @Test
  void start_inATransactionThatThrows_leavesNothing() {
    EngineHarness harness = start(StoreKind.LMDB);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(
                        tx -> {
                          BatchId outer = tx.open(Batch.of("1"));
                          for (int depth = 2; depth <= Limits.BATCH_DEPTH_MAX + 1; depth++) {
                            outer = tx.open(Batch.of("" + depth).within(outer));
                          }
                        })
                    .orThrow())
        .withMessageContaining("too deep");
    assertThatThrownBy(
            () ->
                harness
                    .queues()
                    .inTransaction(tx -> tx.start(Batch.of("b").within(new BatchId(1_000))))
                    .orThrow())
        .isInstanceOf(NoSuchBatchException.class);
    assertThat(harness.queues().batches().list(PageRequest.first(9)).items()).isEmpty();
    assertClean(harness);
  }
}

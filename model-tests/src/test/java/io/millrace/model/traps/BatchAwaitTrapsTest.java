package io.millrace.model.traps;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOverloadedException;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.PageRequest;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Waits for the ends of batches: they are told no earlier than the end is durable, and are told
 * also when the store fails or the engine is closed.
 */
@Tag("calls")
class BatchAwaitTrapsTest extends BatchTrapTest {

  private static CompletableFuture<BatchStats> await(EngineHarness harness, BatchId id) {
    return harness.queues().batches().await(id);
  }

  /** Waits until the engine has taken up all waits that began, and given up those that ended. */
  private static void awaitCount(EngineHarness harness, int count) {
    await(
        count + " waits are known",
        () -> {
          harness.poke();
          return harness.engine().metrics().awaitCount() == count;
        });
  }

  private static BatchId beginOne(EngineHarness harness) {
    return begin(harness, watched("a"));
  }

  private static void completeLast(EngineHarness harness) {
    claim(mail(harness)).complete().orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void await_severalBeforeAndAfterTheEnd_allAreToldTheSame(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a", "b"));
    List<CompletableFuture<BatchStats>> before =
        IntStream.range(0, 3).mapToObj(i -> await(harness, id)).toList();
    awaitCount(harness, 3);
    completeLast(harness);
    before.forEach(future -> assertNotAnswered(harness, future));

    completeLast(harness);

    BatchStats over = stats(harness, id);
    assertThat(figures(over)).isEqualTo("succeeded=2 over");
    before.forEach(future -> assertThat(join(future)).isEqualTo(over));
    assertThat(join(await(harness, id))).isEqualTo(over);
    awaitCount(harness, 0);
    harness.crash();
    assertThat(join(await(harness, id))).isEqualTo(over);
  }

  @Test
  void await_ofAnEmptyBatch_isToldAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);

    BatchStats stats = join(await(harness, begin(harness, Batch.of("empty"))));

    assertThat(stats.name()).isEqualTo("empty");
    assertThat(stats.isOver()).isTrue();
    awaitCount(harness, 0);
  }

  @Test
  void await_ofAnOpenBatch_endsWithTheSeal() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched("a"));
    CompletableFuture<BatchStats> end = await(harness, id);
    completeLast(harness);
    assertNotAnswered(harness, end);

    harness.queues().batches().seal(id);

    assertThat(figures(join(end))).isEqualTo("succeeded=1 over");
  }

  @Test
  void await_cancelled_isForgottenAndOthersAreTold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = beginOne(harness);
    CompletableFuture<BatchStats> cancelled = await(harness, id);
    CompletableFuture<BatchStats> other = await(harness, id);
    awaitCount(harness, 2);

    assertThat(cancelled.cancel(false)).isTrue();

    awaitCount(harness, 1);
    completeLast(harness);
    assertThat(figures(join(other))).isEqualTo("succeeded=1 over");
    assertThat(cancelled).isCancelled();
    awaitCount(harness, 0);
  }

  @Test
  void await_ofABatchThatIsNotThere_fails() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = new BatchId(123_456);

    assertThatThrownBy(() -> join(await(harness, id)))
        .isInstanceOfSatisfying(NoSuchBatchException.class, e -> assertThat(e.id()).isEqualTo(id));
    awaitCount(harness, 0);
  }

  @Test
  void await_moreThanAreAllowed_fails() {
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).awaitCountMax(1));
    BatchId id = beginOne(harness);
    CompletableFuture<BatchStats> first = await(harness, id);
    awaitCount(harness, 1);

    assertThatThrownBy(() -> join(await(harness, id)))
        .isInstanceOf(EngineOverloadedException.class);

    completeLast(harness);
    assertThat(join(first).isOver()).isTrue();
  }

  @Test
  void await_insideATransaction_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = beginOne(harness);

    assertThatThrownBy(() -> harness.queues().transact(tx -> await(harness, id)).orThrow())
        .isInstanceOf(IllegalStateException.class);

    awaitCount(harness, 0);
  }

  @Test
  void await_afterARedrive_waitsForTheNextEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = beginOne(harness);
    JobId dead = onlyJob(harness, id);
    CompletableFuture<BatchStats> first = await(harness, id);
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    assertThat(figures(join(first))).isEqualTo("dead=1 over");
    mail(harness).deadLetters().redrive(dead).orThrow();

    CompletableFuture<BatchStats> second = await(harness, id);

    awaitCount(harness, 1);
    assertNotAnswered(harness, second);
    completeLast(harness);
    assertThat(figures(join(second))).isEqualTo("succeeded=1 over");
  }

  /** The end is told, though nobody can read the batch any more. */
  @Test
  void await_ofABatchWithoutRetention_isToldItsEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a").retention(ZERO));
    CompletableFuture<BatchStats> end = await(harness, id);
    awaitCount(harness, 1);

    completeLast(harness);

    assertThat(figures(join(end))).isEqualTo("succeeded=1 over");
    harness.awaitNothingDue();
    assertThat(harness.queues().batches().get(id)).isEmpty();
    assertThatThrownBy(() -> join(await(harness, id))).isInstanceOf(NoSuchBatchException.class);
    assertAllSucceeded(harness);
  }

  @Test
  void await_endByADeletedQueue_isTold() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId purged = beginOne(harness);
    CompletableFuture<BatchStats> end = await(harness, purged);
    assertThat(mail(harness).purge(Set.of(JobState.READY))).isEqualTo(1);
    assertThat(figures(join(end))).isEqualTo("purged=1 over");
    BatchId deleted = beginOne(harness);
    CompletableFuture<BatchStats> next = await(harness, deleted);

    assertThat(mail(harness).delete()).isTrue();

    assertThat(figures(join(next))).isEqualTo("purged=1 over");
  }

  @Test
  void syncedEnd_isToldWhenTheSyncIsOver() throws InterruptedException {
    EngineHarness harness = start(StoreKind.FAULTY);
    CompletableFuture<BatchStats> end = await(harness, beginOne(harness));
    Lease lease = claim(mail(harness));
    harness.store().holdNextSync();
    CompletableFuture<?> complete = lease.completeAsync();
    harness.store().awaitHeld();

    assertNotAnswered(harness, end);

    harness.store().letGo();
    join(complete);
    assertThat(join(end).hasSucceeded()).isTrue();
  }

  @InProcess("who calls a server waits for the next engine when this one is closed")
  @Test
  void engine_closed_everyWaitEnds() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = beginOne(harness);
    CompletableFuture<BatchStats> end = await(harness, id);
    awaitCount(harness, 1);

    harness.engine().close();

    assertThatThrownBy(() -> join(end)).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> join(await(harness, id))).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> harness.queues().batches().get(id))
        .isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> harness.queues().batches().seal(id))
        .isInstanceOf(EngineClosedException.class);
  }

  @InProcess("who calls a server waits for the next engine when this one is closed")
  @Test
  void poisonedEngine_closed_everyWaitEnds() {
    EngineHarness harness = start(StoreKind.FAULTY);
    CompletableFuture<BatchStats> end = await(harness, beginOne(harness));
    awaitCount(harness, 1);
    harness.store().breakNextWrite(new AssertionError("the disk is gone"));
    assertThatThrownBy(() -> enqueue(mail(harness), "lost"))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().close();

    assertThatThrownBy(() -> join(end)).isInstanceOf(EngineClosedException.class);
  }

  /** The commit that ended the batch may or may not have reached the store before that failed. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void end_ofUnknownOutcome_isToldAfterTheReopeningIfItHappened(Fault fault) {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId id = beginOne(harness);
    BatchId going = begin(harness, Batch.of("goes on").add(OTHER, job("b")));
    CompletableFuture<BatchStats> end = await(harness, id);
    CompletableFuture<BatchStats> other = await(harness, going);
    Lease lease = claim(mail(harness));
    harness.storeLeases();
    harness.machine().failNext(StoreCall.WRITE, fault);
    assertThatThrownBy(lease::complete).isInstanceOf(OutcomeUnknownException.class);
    assertNotAnswered(harness, end);

    harness.engine().reopen();

    if (fault == Fault.BEFORE) {
      assertNotAnswered(harness, end);
      assertNothingAfter(harness);
      assertFigures(harness, id, "left=1 running=1 not over");
      lease.complete().orThrow();
    }
    assertThat(figures(join(end))).isEqualTo("succeeded=1 over");
    assertAllSucceeded(harness);
    assertNotAnswered(harness, other);
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    assertThat(figures(join(other))).isEqualTo("succeeded=1 over");
    awaitCount(harness, 0);
    assertClean(harness);
  }

  /** A batch that is begun by a commit that did not happen is none. */
  @Test
  void start_ofUnknownOutcome_thatDidNotHappenLeavesNothing() {
    EngineHarness harness = start(StoreKind.FAULTY);
    BatchId before = beginOne(harness);
    harness.machine().failNext(StoreCall.WRITE, Fault.BEFORE);
    assertThatThrownBy(() -> begin(harness, watched("b")))
        .isInstanceOf(OutcomeUnknownException.class);

    harness.engine().reopen();

    assertThat(harness.queues().batches().list(PageRequest.first(9)).items())
        .extracting(BatchStats::id)
        .containsExactly(before);
    assertNothingAfter(harness);
    BatchId next = begin(harness, Batch.of("next").add(OTHER, job("c")));
    assertThat(next).isGreaterThan(before);
    assertFigures(harness, next, "left=1 not over");
    assertClean(harness);
  }
}

package io.millrace.model.traps;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.EnqueueRefusedException;
import io.millrace.api.FailOptions;
import io.millrace.api.JobFilter;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The jobs that come after a batch: they are jobs like others once they go on. */
@Tag("calls")
class BatchFollowersTrapsTest extends BatchTrapTest {

  private static void completeLast(EngineHarness harness) {
    claim(mail(harness)).complete().orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void wake_ofWhatComesAfter_isTheBatchAlsoAfterReleaseRetryAndCrash(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id =
        begin(harness, Batch.of("b").add(MAIL, job("a")).whenDone(AFTER, job(DONE, AT_ONCE_AGAIN)));
    assertThat(claim(after(harness), 1)).isEmpty();
    completeLast(harness);
    Wake told = new Wake.AfterBatch(id);

    Lease first = claim(after(harness));
    assertThat(first.wake()).isEqualTo(told);
    assertThat(first.attempt()).isEqualTo(1);
    assertThat(first.wake().signal()).isEmpty();
    first.release().orThrow();
    Lease released = claim(after(harness));
    assertThat(released.wake()).isEqualTo(told);
    assertThat(released.attempt()).isEqualTo(1);
    released.fail("broken").orThrow();
    harness.awaitNothingDue();
    Lease second = claim(after(harness));
    assertThat(second.wake()).isEqualTo(new Wake.Retry(Optional.of(told)));
    second.fail("broken").orThrow();
    harness.awaitNothingDue();
    assertThat(claim(after(harness)).wake()).isEqualTo(new Wake.Retry(Optional.of(told)));
    harness.storeLeases();
    harness.crash();
    harness.awaitNothingDue();
    Lease last = claim(after(harness));
    assertThat(last.wake()).isEqualTo(new Wake.Retry(Optional.of(told)));
    last.fail("for good", FailOptions.PERMANENT).orThrow();
    after(harness).deadLetters().redrive(last.jobId()).orThrow();
    Lease redriven = claim(after(harness));
    assertThat(redriven.wake()).isEqualTo(told);
    redriven.complete().orThrow();
    assertThat(after(harness).stats().orElseThrow().total(Total.COMPLETED)).isEqualTo(1);
    assertClean(harness);
  }

  @Test
  void waiting_forABatch_isMovedByNothingElse() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    JobId waiting = waitingAfter(harness, DONE);

    assertThat(harness.queues().signal(waiting, "signal")).isEqualTo(SignalResult.KEPT);
    assertThat(harness.queues().reschedule(waiting, harness.queues().now()))
        .isEqualTo(RescheduleResult.WAITING);
    assertThat(harness.queues().admin().failStuck(waiting, "no"))
        .isEqualTo(StuckResult.NOT_WAITING);
    assertThat(harness.queues().signals().broadcast(AFTER, "signal", new byte[1])).isNotNull();
    pass(harness, ofMinutes(1_000));

    assertNothingAfter(harness);
    assertThat(job(harness.queues(), waiting).waitsForBatch()).hasValue(id);
    assertThat(job(harness.queues(), waiting).signalWait()).isEmpty();
    JobFilter stuck = JobFilter.ALL.stuckBefore(harness.queues().now());
    assertThat(harness.queues().list(stuck, PageRequest.first(10)).items()).isEmpty();
    assertThat(harness.queues().explain(waiting)).isPresent();
    assertClean(harness);
    completeLast(harness);
    assertAllSucceeded(harness);
    assertThat(job(harness.queues(), waiting).waitsForBatch()).isEmpty();
    assertClean(harness);
  }

  @Test
  void waiting_updated_goesOnWithItsChanges() {
    EngineHarness harness = start(StoreKind.MEMORY);
    begin(harness, watched("a"));
    JobId waiting = waitingAfter(harness, ALL_SUCCEEDED);

    harness.queues().update(waiting, changes -> changes.priority(9).payload(new byte[3])).orThrow();
    assertClean(harness);
    completeLast(harness);

    Lease first = claim(after(harness));
    assertThat(first.jobId()).isEqualTo(waiting);
    assertThat(first.payload()).hasSize(3);
    assertThat(first.priority()).isEqualTo(9);
    assertClean(harness);
  }

  @Test
  void follower_withConcurrencyKeyThatIsTaken_isBlockedAndNotLost() {
    EngineHarness harness = start(StoreKind.MEMORY);
    begin(
        harness,
        Batch.of("b")
            .add(MAIL, job("a"))
            .whenDone(AFTER, job(DONE, PLAIN.concurrencyKey("k")))
            .whenAllSucceeded(AFTER, job(ALL_SUCCEEDED, PLAIN.concurrencyKey("k"))));
    enqueue(after(harness), "holder", PLAIN.concurrencyKey("k"));
    Lease holder = claim(after(harness));
    assertThat(peek(after(harness), JobState.BLOCKED)).isEmpty();

    completeLast(harness);

    assertThat(peek(after(harness), JobState.BLOCKED))
        .containsExactlyInAnyOrder(DONE, ALL_SUCCEEDED);
    assertClean(harness);
    holder.complete().orThrow();
    claim(after(harness)).complete().orThrow();
    claim(after(harness)).complete().orThrow();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void queueOfFollowers_deletedWhileTheyWait_batchEndsAllTheSame(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    assertThat(after(harness).delete()).isTrue();
    harness.awaitNothingDue();
    assertFigures(harness, id, "left=1 not over");
    assertClean(harness);

    completeLast(harness);

    assertFigures(harness, id, "succeeded=1 over");
    assertAfter(harness, List.of(), List.of());
    harness.crash();
    assertAfter(harness, List.of(), List.of());
    assertClean(harness);
  }

  /** The end of the batch comes while the rows of the deleted queue are still being removed. */
  @Test
  void queueOfFollowers_deletedAndMadeAgainAtOnce_staysEmpty() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    assertThat(after(harness).delete()).isTrue();
    enqueue(after(harness), "new");

    completeLast(harness);

    assertAfter(harness, List.of("new"), List.of());
    assertFigures(harness, id, "succeeded=1 over");
    harness.awaitNothingDue();
    assertAfter(harness, List.of("new"), List.of());
    assertClean(harness);
  }

  @Test
  void followers_purgedOrCancelledWhileTheyWait_othersGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId first = begin(harness, watched("a"));
    assertThat(harness.queues().cancelIfWaiting(waitingAfter(harness, DONE)))
        .isEqualTo(CancelResult.CANCELLED);
    completeLast(harness);
    assertAfter(harness, List.of(ALL_SUCCEEDED), List.of());
    assertThat(after(harness).purge(Set.of(JobState.READY))).isEqualTo(1);
    BatchId second = begin(harness, watched("b"));
    assertThat(after(harness).purge(Set.of(JobState.WAITING))).isEqualTo(3);
    assertClean(harness);

    completeLast(harness);

    assertAfter(harness, List.of(), List.of());
    assertFigures(harness, first, "succeeded=1 over");
    assertFigures(harness, second, "succeeded=1 over");
    assertClean(harness);
  }

  @Test
  void queueOfFollowers_pausedAndFullAndDrained_takesThemAllTheSame() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    after(harness).pause();
    after(harness).configure(settings -> settings.depthMax(1));
    assertThat(after(harness).drain(Duration.ZERO)).isNotNull();

    completeLast(harness);

    assertAllSucceeded(harness);
    assertFigures(harness, id, "succeeded=1 over");
    assertThat(claim(after(harness), 9)).isEmpty();
    after(harness).resume();
    assertThat(payloads(claim(after(harness), 9))).containsExactlyInAnyOrder(DONE, ALL_SUCCEEDED);
    assertClean(harness);
  }

  @Test
  void followers_ofManyBatchesThatEndInOneCommit_allGoOn() {
    EngineHarness harness = start(StoreKind.MEMORY);
    for (int i = 0; i < 100; i++) {
      begin(harness, watched("a", "b"));
    }

    completeAll(harness, mail(harness), 200);

    assertThat(peek(after(harness), JobState.READY)).hasSize(200);
    assertThat(peek(after(harness), JobState.WAITING)).isEmpty();
    assertClean(harness);
    harness.crash();
    assertThat(peek(after(harness), JobState.READY)).hasSize(200);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void follower_ofAnotherBatch_countsThereUntilItEnds(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId second = open(harness, watched());
    BatchId first =
        begin(
            harness,
            Batch.of("first")
                .add(MAIL, job("a"))
                .whenDone(OTHER, job("link", PLAIN.batch(second))));
    harness.queues().batches().seal(second);
    assertFigures(harness, second, "left=1 not over");

    completeLast(harness);

    assertFigures(harness, first, "succeeded=1 over");
    assertFigures(harness, second, "left=1 not over");
    assertNothingAfter(harness);
    assertClean(harness);
    harness.crash();
    Lease link = claim(harness.queues().queue(OTHER));
    assertThat(link.batch()).hasValue(second);
    assertThat(link.wake()).isEqualTo(new Wake.AfterBatch(first));
    link.complete().orThrow();
    assertFigures(harness, second, "succeeded=1 over");
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  /** No job of the chain but the first is ever started: one end ends all. */
  @Test
  void follower_thatIsNotNeeded_endsTheBatchesThatItIsOfInTheSameCommit() {
    EngineHarness harness = start(StoreKind.MEMORY);
    int count = 40;
    List<BatchId> opened = new ArrayList<>();
    BatchId next = open(harness, watched());
    opened.add(next);
    for (int i = 1; i < count; i++) {
      EnqueueOptions options = PLAIN.batch(next);
      next = open(harness, Batch.of("link " + i).whenAnyDied(OTHER, job("link", options)));
      opened.add(next);
    }
    opened.forEach(harness.queues().batches()::seal);
    assertThat(opened).hasSize(count).filteredOn(id -> stats(harness, id).isOver()).hasSize(count);
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  @Test
  void follower_thatIsNotNeeded_cascadesFromOneEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    int count = 40;
    List<BatchId> ids = new ArrayList<>();
    BatchId next = open(harness, watched());
    ids.add(next);
    for (int i = 1; i < count; i++) {
      Batch link = Batch.of("link " + i).whenAnyDied(OTHER, job("link " + i, PLAIN.batch(next)));
      if (i == count - 1) {
        link.add(MAIL, job("the first"));
      }
      next = open(harness, link);
      ids.add(next);
    }
    ids.forEach(harness.queues().batches()::seal);
    assertThat(ids).noneMatch(id -> stats(harness, id).isOver());

    completeLast(harness);

    assertThat(ids).allMatch(id -> stats(harness, id).isOver());
    assertFigures(harness, ids.get(0), "cancelled=1 over");
    assertFigures(harness, ids.get(count - 1), "succeeded=1 over");
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
    harness.crash();
    assertThat(ids).allMatch(id -> stats(harness, id).isOver());
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  /** It would wait for itself, and never go on. */
  @Test
  void follower_ofABatchThatIsNotThereYet_isRefused() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId last = begin(harness, Batch.of("over"));

    for (int i = 0; i < 20; i++) {
      BatchId guessed = new BatchId(last.value() + i);
      Batch batch = Batch.of("own").whenDone(AFTER, job(DONE, PLAIN.batch(guessed)));
      assertThatThrownBy(() -> begin(harness, batch.add(MAIL, job("a"))))
          .isInstanceOf(EnqueueRefusedException.class)
          .hasMessageContaining("takes no more jobs");
    }

    assertThat(harness.queues().batches().list(PageRequest.first(10)).items()).hasSize(1);
    assertAfter(harness, List.of(), List.of());
    assertThat(peek(mail(harness), JobState.READY)).isEmpty();
    assertClean(harness);
  }

  @Test
  void follower_cancelledWhileItsBatchWaits_countsAsCancelledThere() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId second = open(harness, watched());
    begin(
        harness,
        Batch.of("first").add(MAIL, job("a")).whenDone(OTHER, job("link", PLAIN.batch(second))));
    harness.queues().batches().seal(second);

    assertThat(harness.queues().cancel(onlyJob(harness, second))).isEqualTo(CancelResult.CANCELLED);

    assertFigures(harness, second, "cancelled=1 over");
    assertAfter(harness, List.of(DONE), List.of());
    completeLast(harness);
    assertThat(harness.queues().queue(OTHER).stats().orElseThrow().count(JobState.READY)).isZero();
    assertClean(harness);
  }

  @Test
  void follower_dies_isADeadLetterLikeAnyOther() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    completeLast(harness);
    assertThat(harness.queues().failAll(claim(after(harness), 2), "broken", DEAD)).hasSize(2);

    assertFigures(harness, id, "succeeded=1 over");
    assertThat(after(harness).purge(Set.of(JobState.DEAD))).isEqualTo(2);
    assertFigures(harness, id, "succeeded=1 over");
    assertClean(harness);
  }
}

package io.millrace.model.traps;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.ReleaseResult;
import io.millrace.api.WaitResult;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Cancels of whole batches: who waits is removed, who runs is asked, and what is dead stays. */
@Tag("calls")
class BatchCancelTrapsTest extends BatchTrapTest {

  private static Map<CancelResult, Long> cancel(EngineHarness harness, BatchId id) {
    return harness.queues().batches().cancel(id);
  }

  @InProcess("holders are told with the next extend or checkpoint alone")
  @ParameterizedTest
  @EachStoreKind
  void cancel_jobsInEveryState_removesWhatWaitsAndAsksWhatRuns(StoreKind kind) {
    EngineHarness harness = start(kind);
    enqueue(mail(harness), "outside");
    BatchId id =
        begin(
            harness,
            watched()
                .add(MAIL, job("dies", PLAIN.priority(9)))
                .add(MAIL, job("is done", PLAIN.priority(8)))
                .add(MAIL, job("waits for a signal", PLAIN.priority(7)))
                .add(MAIL, job("runs", PLAIN.priority(6)))
                .add(MAIL, job("ready"))
                .add(OTHER, job("delayed", PLAIN.delay(ofMinutes(9))))
                .add(OTHER, job("holds the key", PLAIN.concurrencyKey("k")))
                .add(OTHER, job("blocked", PLAIN.concurrencyKey("k"))));
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    claim(mail(harness)).complete().orThrow();
    assertThat(claim(mail(harness)).waitFor("signal")).isEqualTo(WaitResult.WAITING);
    Lease running = claim(mail(harness));
    assertThat(payload(running)).isEqualTo("runs");
    assertFigures(harness, id, "left=6 running=1 succeeded=1 dead=1 not over");

    Map<CancelResult, Long> results = cancel(harness, id);

    assertThat(results.get(CancelResult.CANCELLED)).isEqualTo(5);
    assertThat(results.get(CancelResult.REQUESTED)).isEqualTo(1);
    assertFigures(harness, id, "left=1 running=1 succeeded=1 dead=1 cancelled=5 not over");
    assertThat(stats(harness, id).isSealed()).isTrue();
    assertThat(stats(harness, id).isCancelled()).isTrue();
    assertThat(running.cancelRequested()).isTrue();
    assertNothingAfter(harness);
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("outside");
    assertThat(peek(mail(harness), JobState.DEAD)).containsExactly("dies");
    assertClean(harness);
    assertThat(running.release()).isEqualTo(ReleaseResult.CANCELLED);
    assertFigures(harness, id, "succeeded=1 dead=1 cancelled=6 over");
    assertAnyDied(harness);
    harness.crash();
    assertFigures(harness, id, "succeeded=1 dead=1 cancelled=6 over");
    assertAnyDied(harness);
    assertClean(harness);
  }

  @Test
  void cancel_allJobsWait_isOverAtOnce() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b", "c"));

    assertThat(cancel(harness, id)).isEqualTo(Map.of(CancelResult.CANCELLED, 3L));

    assertFigures(harness, id, "cancelled=3 over");
    assertAfter(harness, List.of(DONE), List.of());
    assertThat(stats(harness, id).hasSucceeded()).isFalse();
    assertClean(harness);
  }

  @Test
  void cancel_ofAnOpenBatchWithoutJobs_isItsEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched());

    assertThat(cancel(harness, id)).isEmpty();

    assertFigures(harness, id, "over");
    assertThat(stats(harness, id).isCancelled()).isTrue();
    assertThat(mail(harness).offer(new byte[1], in(id)).isDone()).isFalse();
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void cancel_again_asksOnlyThoseThatStillRun() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b"));
    Lease lease = claim(mail(harness));
    cancel(harness, id);

    assertThat(cancel(harness, id)).isEqualTo(Map.of(CancelResult.REQUESTED, 1L));

    lease.complete().orThrow();
    BatchStats over = stats(harness, id);
    assertThat(figures(over)).isEqualTo("succeeded=1 cancelled=1 over");
    assertThat(cancel(harness, id)).isEmpty();
    assertThat(stats(harness, id)).isEqualTo(over);
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  /** The worker completes its job all the same, and by that all of them. */
  @Test
  void cancel_runningJobsComplete_allSucceeded() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b"));
    List<Lease> leases = claim(mail(harness), 2);

    assertThat(cancel(harness, id)).isEqualTo(Map.of(CancelResult.REQUESTED, 2L));

    assertThat(harness.queues().completeAll(leases)).allMatch(result -> result.isDone());
    assertFigures(harness, id, "succeeded=2 over");
    assertThat(stats(harness, id).isCancelled()).isTrue();
    assertAllSucceeded(harness);
    assertClean(harness);
  }

  @Test
  void cancel_ofABatchThatIsNotThere_saysSo() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = new BatchId(123_456);

    assertThatThrownBy(() -> cancel(harness, id))
        .isInstanceOfSatisfying(NoSuchBatchException.class, e -> assertThat(e.id()).isEqualTo(id));
  }

  @Test
  void cancel_ofOneBatch_leavesTheOthersAlone() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId first = begin(harness, Batch.of("first").add(MAIL, job("a")));
    BatchId second = begin(harness, Batch.of("second").add(MAIL, job("b")));

    assertThat(cancel(harness, first)).isEqualTo(Map.of(CancelResult.CANCELLED, 1L));

    assertFigures(harness, first, "cancelled=1 over");
    assertFigures(harness, second, "left=1 not over");
    assertThat(peek(mail(harness), JobState.READY)).containsExactly("b");
    assertClean(harness);
  }

  /** A dead letter was there before, and operators may still look into it. */
  @Test
  void cancel_ofABatchWithADeadLetter_canBeRedrivenAndTakesNoOtherJobs() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    claim(mail(harness)).fail("broken", DEAD).orThrow();
    cancel(harness, id);
    assertFigures(harness, id, "dead=1 over");

    mail(harness).deadLetters().redrive(dead).orThrow();

    assertFigures(harness, id, "left=1 not over");
    assertThat(mail(harness).offer(new byte[1], in(id)).isDone()).isFalse();
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void cancel_thenCrash_reclaimedJobsAreGoneAndTheBatchOver(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a", "b"));
    claim(mail(harness));
    cancel(harness, id);
    assertFigures(harness, id, "left=1 running=1 cancelled=1 not over");

    harness.crash();

    assertFigures(harness, id, "cancelled=2 over");
    assertThat(stats(harness, id).isCancelled()).isTrue();
    assertAfter(harness, List.of(DONE), List.of());
    assertClean(harness);
  }

  /** A batch that is one job of another: the one that waits for it goes with that other. */
  @Test
  void cancel_ofABatchWithAFollowerOfAnother_followerCountsHere() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId outer = open(harness, watched());
    BatchId inner =
        begin(
            harness,
            Batch.of("inner").add(MAIL, job("a")).whenDone(OTHER, job("link", PLAIN.batch(outer))));

    assertThat(cancel(harness, outer)).isEqualTo(Map.of(CancelResult.CANCELLED, 1L));

    assertFigures(harness, outer, "cancelled=1 over");
    assertFigures(harness, inner, "left=1 not over");
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, inner, "succeeded=1 over");
    assertThat(claim(harness.queues().queue(OTHER), 9)).isEmpty();
    assertClean(harness);
  }

  @Test
  void cancel_ofManyJobs_isComplete() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Batch batch = watched();
    for (int i = 0; i < 2_500; i++) {
      batch.add(i % 2 == 0 ? MAIL : OTHER, job("a", PLAIN.delay(ofMinutes(i % 3))));
    }
    BatchId id = begin(harness, batch);

    assertThat(cancel(harness, id)).isEqualTo(Map.of(CancelResult.CANCELLED, 2_500L));

    assertFigures(harness, id, "cancelled=2500 over");
    assertThat(jobs(harness, id)).isEmpty();
    assertClean(harness);
  }
}

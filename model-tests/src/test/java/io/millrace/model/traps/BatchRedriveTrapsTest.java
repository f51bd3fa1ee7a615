package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.UniqueKey;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Dead letters of a batch that are redriven: it goes on, and nothing comes after it twice. */
@Tag("calls")
class BatchRedriveTrapsTest extends BatchTrapTest {

  private static void die(EngineHarness harness) {
    claim(mail(harness)).fail("broken", DEAD).orThrow();
  }

  private static void redrive(EngineHarness harness, JobId id) {
    mail(harness).deadLetters().redrive(id).orThrow();
  }

  @ParameterizedTest
  @EachStoreKind
  void deadLetter_redrivenAndCompleted_allSucceededInTheEnd(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    die(harness);
    assertAnyDied(harness);
    assertFigures(harness, id, "dead=1 over");
    harness.crash();

    redrive(harness, dead);

    assertFigures(harness, id, "left=1 not over");
    assertThat(stats(harness, id).endedAt()).isEmpty();
    assertAnyDied(harness);
    assertClean(harness);
    harness.crash();
    assertFigures(harness, id, "left=1 not over");
    claim(mail(harness)).complete().orThrow();
    assertFigures(harness, id, "succeeded=1 over");
    assertThat(stats(harness, id).hasSucceeded()).isTrue();
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    harness.restartCleanly();
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void deadLetter_redrivenAndDeadAgain_nothingComesTwice(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    die(harness);
    completeAll(harness, after(harness), 2);
    for (int i = 0; i < 3; i++) {
      redrive(harness, dead);
      assertFigures(harness, id, "left=1 not over");

      die(harness);

      assertFigures(harness, id, "dead=1 over");
      assertAfter(harness, List.of(), List.of(ALL_SUCCEEDED));
      harness.crash();
    }
    redrive(harness, dead);
    claim(mail(harness)).complete().orThrow();
    assertAfter(harness, List.of(ALL_SUCCEEDED), List.of());
    assertFigures(harness, id, "succeeded=1 over");
    assertClean(harness);
  }

  /** Nobody was told of the death, so that nobody needs to know of it. */
  @Test
  void deadLetter_redrivenBeforeTheEnd_doesNotCountAsDead() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b"));
    JobId first = jobs(harness, id).get(0);
    die(harness);
    assertFigures(harness, id, "left=1 dead=1 not over");
    assertNothingAfter(harness);

    redrive(harness, first);

    assertFigures(harness, id, "left=2 not over");
    completeAll(harness, mail(harness), 2);
    assertAllSucceeded(harness);
    assertFigures(harness, id, "succeeded=2 over");
    assertClean(harness);
  }

  @Test
  void deadLetters_allRedriven_eachCountsAsLeft() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b", "c"));
    assertThat(harness.queues().failAll(claim(mail(harness), 3), "broken", DEAD)).hasSize(3);
    assertFigures(harness, id, "dead=3 over");
    assertAnyDied(harness);

    assertThat(mail(harness).deadLetters().redriveAll(DeadFilter.ALL)).isEqualTo(3);

    assertFigures(harness, id, "left=3 not over");
    completeAll(harness, mail(harness), 3);
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  @Test
  void deadLetters_oneDeletedAndOneCompleted_allSucceededIsCancelled() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a", "b"));
    List<JobId> ids = jobs(harness, id);
    assertThat(harness.queues().failAll(claim(mail(harness), 2), "broken", DEAD)).hasSize(2);
    assertThat(mail(harness).deadLetters().delete(ids.get(0))).isTrue();
    assertFigures(harness, id, "dead=1 failed=1 over");
    redrive(harness, ids.get(1));
    assertFigures(harness, id, "left=1 failed=1 not over");

    claim(mail(harness)).complete().orThrow();

    assertFigures(harness, id, "succeeded=1 failed=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED), List.of());
    assertClean(harness);
  }

  @Test
  void deadLetter_redrivenAndCancelled_allSucceededIsCancelled() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    die(harness);
    redrive(harness, dead);

    assertThat(harness.queues().cancel(dead)).isEqualTo(CancelResult.CANCELLED);

    assertFigures(harness, id, "cancelled=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED), List.of());
    assertClean(harness);
  }

  @Test
  void deadLetter_redrivenInATransactionThatAddsAJob_bothAreLeft() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    die(harness);
    assertThat(mail(harness).offer(new byte[1], in(id)))
        .isEqualTo(new EnqueueResult.BatchOver(MAIL, id));

    harness
        .queues()
        .inTransaction(
            tx -> {
              tx.redrive(dead);
              tx.enqueue(OTHER, new byte[1], in(id));
            })
        .orThrow();

    assertFigures(harness, id, "left=2 not over");
    assertClean(harness);
    claim(mail(harness)).complete().orThrow();
    claim(harness.queues().queue(OTHER)).complete().orThrow();
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  @Test
  void deadLetter_whoseKeyIsHeld_staysDeadAndTheBatchOver() {
    EngineHarness harness = start(StoreKind.MEMORY);
    UniqueKey key = UniqueKey.of("key");
    BatchId id = begin(harness, watched().add(MAIL, job("a", PLAIN.unique(key))));
    JobId dead = onlyJob(harness, id);
    die(harness);
    enqueue(mail(harness), "holder", PLAIN.unique(key));

    assertThat(mail(harness).deadLetters().redrive(dead).isDone()).isFalse();

    assertFigures(harness, id, "dead=1 over");
    assertAnyDied(harness);
    assertClean(harness);
  }

  @Test
  void deadLetter_redrivenOfABatchThatIsOpen_waitsForTheSeal() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    die(harness);
    assertFigures(harness, id, "dead=1 not over");
    assertNothingAfter(harness);
    harness.queues().batches().seal(id);
    assertAnyDied(harness);

    redrive(harness, dead);
    claim(mail(harness)).complete().orThrow();

    assertFigures(harness, id, "succeeded=1 over");
    assertAfter(harness, List.of(DONE, ANY_DIED, ALL_SUCCEEDED), List.of());
    assertClean(harness);
  }

  /** The end of a batch is the last one, not the first. */
  @Test
  void endedAt_afterARedrive_isThatOfTheNewEnd() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, watched("a"));
    JobId dead = onlyJob(harness, id);
    harness.clock().advanceMs(1_000);
    die(harness);
    BatchStats first = stats(harness, id);
    harness.clock().advanceMs(1_000);
    redrive(harness, dead);
    harness.clock().advanceMs(1_000);

    claim(mail(harness)).complete().orThrow();

    BatchStats second = stats(harness, id);
    assertThat(first.endedAt()).hasValue(first.startedAt().plusMillis(1_000));
    assertThat(second.endedAt()).hasValue(first.startedAt().plusMillis(3_000));
    assertThat(second.startedAt()).isEqualTo(first.startedAt());
  }

  @Test
  void deadLetterOfABatch_staysWithItsBatchOverManyRedrives() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = begin(harness, Batch.of("b").add(MAIL, job("a", AT_ONCE_AGAIN)));
    JobId dead = onlyJob(harness, id);
    die(harness);
    redrive(harness, dead);
    claim(mail(harness)).fail("once more").orThrow();
    harness.awaitNothingDue();
    assertThat(job(harness.queues(), dead).batch()).hasValue(id);
    assertThat(state(harness.queues(), dead)).isEqualTo(JobState.READY);
    assertThat(claim(mail(harness)).batch()).hasValue(id);
    assertFigures(harness, id, "left=1 running=1 not over");
  }
}

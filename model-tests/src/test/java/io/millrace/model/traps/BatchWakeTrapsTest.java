package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.RescheduleResult;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What a job is told that has waited for a batch, and what it gives up meanwhile. */
class BatchWakeTrapsTest extends BatchTrapTest {

  private static Lease parent(EngineHarness harness, EnqueueOptions options) {
    enqueue(after(harness), "parent", options);
    return claim(after(harness));
  }

  private static Lease next(EngineHarness harness, Wake wake) {
    Lease lease = claim(after(harness));
    assertThat(lease.wake()).isEqualTo(wake);
    return lease;
  }

  @ParameterizedTest
  @EachStoreKind
  void wake_untilTheJobSleepsOrWaitsAgain_saysThatTheBatchIsOver(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = begin(harness, Batch.of("b").add(MAIL, job("x")));
    Wake over = new Wake.AfterBatch(id);
    Lease parent = parent(harness, AT_ONCE_AGAIN.maxAttempts(3));
    JobId jobId = parent.jobId();
    parent.waitFor(id).orThrow();
    harness.crash();
    claim(mail(harness)).complete().orThrow();

    next(harness, over).release().orThrow();
    next(harness, over).fail("no").orThrow();
    harness.restartCleanly();
    Lease retry = next(harness, new Wake.Retry(Optional.of(over)));
    assertThat(retry.signalled("signal")).isEmpty();
    assertThat(retry.hasTimedOut("signal")).isFalse();
    retry.fail("no", DEAD).orThrow();
    after(harness).deadLetters().redrive(jobId).orThrow();
    assertThat(next(harness, over).waitFor("signal")).isEqualTo(WaitResult.WAITING);
    assertClean(harness);
    harness.queues().signal(jobId, "signal", new byte[1]).orThrow();
    Lease signalled = next(harness, new Wake.Signalled("signal", new byte[1]));
    assertThat(signalled.waitFor(id)).isEqualTo(WaitResult.BATCH_OVER);
    next(harness, over).snooze(Duration.ofSeconds(1)).orThrow();
    pass(harness, Duration.ofSeconds(1));
    next(harness, new Wake.Slept()).complete().orThrow();
    assertClean(harness);
  }

  @Test
  void signal_toAJobThatWaitsForABatch_isKeptAndDoesNotWakeIt() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, Batch.of("b"));
    Lease parent = parent(harness, PLAIN);
    parent.waitFor(id).orThrow();

    harness.queues().signal(parent.jobId(), "signal", new byte[1]).orThrow();
    assertThat(harness.queues().reschedule(parent.jobId(), Instant.EPOCH))
        .isEqualTo(RescheduleResult.WAITING);
    assertThat(state(harness.queues(), parent.jobId())).isEqualTo(JobState.WAITING);
    assertClean(harness);
    harness.queues().batches().seal(id);

    Lease over = next(harness, new Wake.AfterBatch(id));
    assertThat(over.waitFor("signal")).isEqualTo(WaitResult.SIGNALLED);
    assertThat(claim(after(harness)).signalled("signal")).hasValue(new byte[1]);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void waitFor_jobHasTheSlotOfItsKey_anotherHasItMeanwhile(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = open(harness, Batch.of("b"));
    EnqueueOptions keyed = PLAIN.concurrencyKey("key");
    Lease parent = parent(harness, keyed);
    enqueue(after(harness), "other", keyed);
    assertThat(claim(after(harness), 9)).isEmpty();

    parent.waitFor(id).orThrow();
    Lease other = claim(after(harness));
    assertThat(payload(other)).isEqualTo("other");
    harness.queues().batches().seal(id);

    assertThat(state(harness.queues(), parent.jobId())).isEqualTo(JobState.BLOCKED);
    assertClean(harness);
    harness.restartCleanly();
    other = claim(after(harness));
    assertThat(payload(other)).isEqualTo("other");
    other.complete().orThrow();
    assertThat(next(harness, new Wake.AfterBatch(id)).waitFor(id)).isEqualTo(WaitResult.BATCH_OVER);
    next(harness, new Wake.AfterBatch(id)).complete().orThrow();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind
  void batchIsOver_queueOfAJobThatWaitedWasDeleted_othersGoOn(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = open(harness, Batch.of("b"));
    parent(harness, PLAIN).waitFor(id).orThrow();
    assertThat(after(harness).delete()).isTrue();
    harness.awaitNothingDue();
    Lease other = parent(harness, PLAIN);
    other.waitFor(id).orThrow();
    assertClean(harness);

    harness.queues().batches().seal(id);

    assertThat(next(harness, new Wake.AfterBatch(id)).jobId()).isEqualTo(other.jobId());
    assertClean(harness);
    pass(harness, Batch.RETENTION_DEFAULT);
    assertThat(harness.queues().batches().get(id)).isEmpty();
    assertClean(harness);
  }

  @Test
  void waitFor_cancelWasRequested_removesTheJob() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = open(harness, Batch.of("b"));
    Lease parent = parent(harness, PLAIN);
    harness.queues().cancel(parent.jobId()).orThrow();

    assertThat(parent.waitFor(id)).isEqualTo(WaitResult.CANCELLED);

    assertThat(harness.queues().get(parent.jobId())).isEmpty();
    harness.queues().batches().seal(id);
    assertFigures(harness, id, "over");
    assertClean(harness);
  }
}

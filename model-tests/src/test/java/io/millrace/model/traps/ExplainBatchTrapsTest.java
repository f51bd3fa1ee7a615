package io.millrace.model.traps;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.BatchStats;
import io.millrace.api.Explanation.WaitsForBatch;
import io.millrace.api.FailOptions;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueName;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What is told of a job that waits for a batch. */
@Tag("calls")
class ExplainBatchTrapsTest extends TrapTest {

  private static final QueueName MAIL = QueueName.of("mail");
  private static final QueueName NEXT = QueueName.of("next");
  private static final NewJob JOB = NewJob.of(new byte[] {1});

  private static Batch ofJobs(int count) {
    Batch batch = Batch.of("import");
    for (int i = 0; i < count; i++) {
      batch.add(MAIL, JOB);
    }
    return batch;
  }

  private static JobId waiting(EngineHarness harness) {
    return harness
        .queues()
        .queue(NEXT)
        .peek(JobState.WAITING, PageRequest.first(1))
        .items()
        .stream()
        .map(Job::id)
        .findFirst()
        .orElseThrow();
  }

  private static WaitsForBatch reason(EngineHarness harness) {
    JobId id = waiting(harness);
    assertThat(ExplainTrapsTest.explain(harness, id).reasons()).hasSize(1);
    return (WaitsForBatch) ExplainTrapsTest.explain(harness, id).reasons().get(0);
  }

  private static List<JobId> died(EngineHarness harness, int count) {
    return claim(mail(harness), count).stream()
        .map(
            lease -> {
              lease.fail("no", FailOptions.PERMANENT).orThrow();
              return lease.jobId();
            })
        .toList();
  }

  @ParameterizedTest
  @EachStoreKind
  void waiting_jobsAreLeftAndDead_saysHowMany(StoreKind kind) {
    EngineHarness harness = start(kind);
    BatchId id = ofJobs(4).whenDone(NEXT, JOB).start(harness.queues());
    died(harness, 1);
    enqueue(mail(harness), "of no batch");

    WaitsForBatch told = reason(harness);

    assertThat(told.kind()).isEqualTo("WaitsForBatch");
    assertThat(told.id()).isEqualTo(id);
    assertThat(told.name()).isEqualTo("import");
    assertThat(told.left()).isEqualTo(3);
    assertThat(told.dead()).isEqualTo(1);
    assertThat(told.isSealed()).isTrue();
    assertThat(told.sentence())
        .isEqualTo(
            "waits for the batch \"import\" (%s): 3 of its jobs are left, 1 is dead (%s)",
            id, told.deadJobs().get(0));
  }

  @Test
  void waiting_manyAreDead_namesTenOfTheBatch() {
    EngineHarness harness = start(StoreKind.MEMORY);
    enqueue(mail(harness), "of no batch");
    JobId other = died(harness, 1).get(0);
    ofJobs(12).whenAllSucceeded(NEXT, JOB).start(harness.queues());
    List<JobId> dead = died(harness, 12);

    WaitsForBatch told = reason(harness);

    assertThat(told.dead()).isEqualTo(12);
    assertThat(told.left()).isZero();
    assertThat(told.deadJobs()).hasSize(10).doesNotContain(other).isSubsetOf(dead);
    assertThat(told.sentence())
        .contains("none of its jobs is left, 12 are dead (")
        .endsWith(
            ", and 7 more); the job waits for these to be redriven, and is cancelled if they are"
                + " removed");
  }

  @Test
  void waiting_batchIsOpen_saysThatItIsToBeSealed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    BatchId id = ofJobs(0).whenDone(NEXT, JOB).open(harness.queues());

    assertThat(reason(harness).isSealed()).isFalse();
    assertThat(reason(harness).sentence())
        .endsWith(
            "(%s): none of its jobs is left; it is not sealed, and cannot be over before seal is"
                    .formatted(id)
                + " called");

    harness.queues().batches().seal(id);
    BatchStats over = harness.queues().batches().get(id).orElseThrow();
    assertThat(over.isOver()).isTrue();
  }
}

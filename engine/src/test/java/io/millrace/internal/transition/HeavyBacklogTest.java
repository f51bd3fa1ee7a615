package io.millrace.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.lease.Claim;
import io.millrace.internal.transition.lease.Grant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a claim reads does not grow with the jobs that are too heavy for it. Rows are counted. */
@Tag("slow")
class HeavyBacklogTest {

  private static final int HEAVY_COUNT = 100_000;

  /** Rows that one claim may read: those of a walk, a page more, and those of a refill. */
  private static final int ROWS_PER_BATCH = OpenBatch.WALK_ROWS_MAX + 3 * 1_024;

  /** Rows that a claim reads when it has nothing to walk over. */
  private static final int ROWS_PER_CLAIM = 4;

  private final TransitionRig rig = new TransitionRig();
  private long rowsMax;

  @BeforeEach
  void fill() {
    for (int i = 0; i < HEAVY_COUNT; i += 10_000) {
      enqueue(10_000, 100);
    }
    rig.unload();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private List<JobId> enqueue(int count, int weight) {
    NewJob job = new NewJob(new byte[0], EnqueueOptions.DEFAULT.weight(weight));
    return rig.apply(new Enqueue(TransitionRig.MAIL, Collections.nCopies(count, job))).stream()
        .map(result -> result.orThrow().jobId())
        .toList();
  }

  /** Claims until that has come to an end; answers how many rows were read. */
  private long claim(String worker, int capacity, int maxWeight, int expectedCount) {
    List<QueueName> queues = List.of(TransitionRig.MAIL);
    Claim claim =
        new Claim(
            new ClaimSpec(
                queues,
                worker,
                10,
                30_000,
                capacity,
                maxWeight,
                Integer.MAX_VALUE,
                Map.of(),
                0,
                List.of()));
    long before = rig.rowsRead();
    List<Grant> grants = Claim.UNFINISHED;
    while (grants == Claim.UNFINISHED) {
      long batchBefore = rig.rowsRead();
      grants = rig.apply(claim);
      rowsMax = Math.max(rowsMax, rig.rowsRead() - batchBefore);
    }
    assertThat(grants).hasSize(expectedCount);
    return rig.rowsRead() - before;
  }

  @Test
  void claim_heavierThanTheCapacity_walksOverTheBacklogOnceAndInParts() {
    long first = claim("w", 99, 99, 0);
    long others = 0;
    for (int i = 0; i < 100; i++) {
      others += claim("w" + i, 99, 1 + i % 99, 0);
      enqueue(1, 1 + i % 99);
      others += claim("w" + i, 99, 1 + i % 99, 1);
      assertThat(others).isLessThan((2 * i + 2) * ROWS_PER_CLAIM);
    }

    assertThat(first).isBetween((long) HEAVY_COUNT, HEAVY_COUNT + HEAVY_COUNT / 10L);
    assertThat(rowsMax).isLessThan(ROWS_PER_BATCH);
  }

  @Test
  void claim_heavierThanWhatIsFree_walksOverTheBacklogOnceForAllWorkers() {
    enqueue(5, 1);

    long first = claim("w", 65_535, 3, 3);
    long others = claim("w", 65_535, 2, 2);
    for (int i = 0; i < 100; i++) {
      others += claim("w" + i, 65_535, 1 + i % 99, 0);
    }

    assertThat(first).isGreaterThan(HEAVY_COUNT);
    assertThat(rowsMax).isLessThan(ROWS_PER_BATCH);
    assertThat(others).isLessThan(ROWS_PER_BATCH + 102 * ROWS_PER_CLAIM);
  }

  @Test
  void claim_boundsRiseOneByOne_walksOnceForEachWeightThatItMeets() {
    long rows = 0;
    for (int bound = 1; bound < 100; bound++) {
      rows += claim("w", 65_535, bound, 0);
    }

    assertThat(rows).isLessThan(HEAVY_COUNT + HEAVY_COUNT / 10L + 100 * ROWS_PER_CLAIM);
  }

  @Test
  void claim_manyMiddlingJobsBehindTheHeavy_areWalkedOverOnce() {
    enqueue(3_000, 50);
    enqueue(1, 5);

    long first = claim("w", 65_535, 5, 1);
    long others = 0;
    for (int i = 0; i < 50; i++) {
      others += claim("w" + i, 65_535, 5, 0);
    }

    assertThat(first).isLessThan(HEAVY_COUNT + HEAVY_COUNT / 10L);
    assertThat(others).isLessThan(50 * ROWS_PER_CLAIM);
  }
}

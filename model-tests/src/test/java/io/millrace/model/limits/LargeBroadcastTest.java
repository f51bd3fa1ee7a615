package io.millrace.model.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.BroadcastReport;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.WaitResult;
import io.millrace.api.Wake;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.WriteBatch;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.fault.Trials;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A signal to a name for which very many jobs wait: each commit has a bounded part of them, others
 * get on meanwhile, and a process that dies in the middle leaves nobody behind and wakes nobody
 * twice.
 */
@Timeout(300)
@Tag("slow")
class LargeBroadcastTest {

  private static final int JOB_COUNT = Trials.count("broadcastJobs", 5_000, 100_000, 100_000);
  private static final int CALL_MAX = 1_000;

  /** Of a job: WAITING, READY, MOVED and what goes with them; of two steps in a batch. */
  private static final int BATCH_OPERATIONS_MAX = 2 * 1_000 * 4;

  /** Commits before the process dies: far from the last one, though two steps may share one. */
  private static final int STEPS_BEFORE = JOB_COUNT / 4_000;

  private static final int REAL_SECONDS_MAX = 240;
  private static final byte[] PAYLOAD = "all".getBytes(UTF_8);

  @TempDir Path folder;

  private final AtomicInteger largestBatch = new AtomicInteger();

  /** A store that notes how large the batches are. */
  private final class Measured extends ForwardingStore {

    Measured(OrderedStore store) {
      super(store);
    }

    @Override
    public void write(WriteBatch batch) {
      largestBatch.accumulateAndGet(batch.size(), Math::max);
      store.write(batch);
    }
  }

  private LimitedEngine start(StoreKind kind) {
    return new LimitedEngine(
        ForwardingStore.factory(kind.newFactory(), Measured::new), folder.resolve("store"));
  }

  private static void addWaiting(LimitedEngine limited) {
    for (int i = 0; i < JOB_COUNT; i += CALL_MAX) {
      limited.queue(0).enqueueAll(Collections.nCopies(CALL_MAX, NewJob.of(new byte[1])));
      List<CompletableFuture<WaitResult>> waits = new ArrayList<>();
      limited.claim(0, CALL_MAX).forEach(lease -> waits.add(lease.waitForAsync("go")));
      waits.forEach(
          wait -> assertThat(Await.join(wait, REAL_SECONDS_MAX)).isEqualTo(WaitResult.WAITING));
    }
  }

  private static QueueStats stats(LimitedEngine limited) {
    return limited.queue(0).stats().orElseThrow();
  }

  private static void assertAllWoken(LimitedEngine limited) {
    assertThat(stats(limited).count(JobState.WAITING)).isZero();
    assertThat(stats(limited).count(JobState.READY)).isEqualTo(JOB_COUNT);
    assertThat(stats(limited).total(Total.WOKEN)).isEqualTo(JOB_COUNT);
    for (Lease lease : limited.claim(0, CALL_MAX)) {
      assertThat(lease.wake()).isEqualTo(new Wake.Signalled("go", PAYLOAD));
    }
    limited.assertClean();
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB"})
  void broadcast_toVeryMany_goesInBoundedStepsAndOthersGetOnMeanwhile(StoreKind kind) {
    try (LimitedEngine limited = start(kind)) {
      addWaiting(limited);
      largestBatch.set(0);

      CompletableFuture<BroadcastReport> report =
          limited.begin(
              () -> limited.engine().signals().broadcast(limited.queue(0).name(), "go", PAYLOAD));
      int meanwhile = 0;
      while (!report.isDone()) {
        limited.queue(1).enqueue(new byte[1]);
        meanwhile++;
      }

      assertThat(report.join()).isEqualTo(new BroadcastReport(JOB_COUNT, false));
      assertThat(largestBatch.get()).isLessThan(BATCH_OPERATIONS_MAX);
      assertThat(meanwhile).isGreaterThanOrEqualTo(JOB_COUNT / CALL_MAX / 4);
      assertAllWoken(limited);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB"})
  void broadcast_processDiesInTheMiddle_reachesEachOnce(StoreKind kind)
      throws InterruptedException {
    try (LimitedEngine limited = start(kind)) {
      addWaiting(limited);
      limited.harness().store().holdNextWrite();
      limited.begin(
          () -> limited.engine().signals().broadcast(limited.queue(0).name(), "go", PAYLOAD));
      limited.harness().store().awaitHeld();
      for (int i = 0; i < STEPS_BEFORE; i++) {
        limited.harness().store().letGoUntilWrite();
        limited.harness().store().awaitHeld();
      }

      limited.harness().crash();
      limited.harness().awaitNothingDue();

      assertAllWoken(limited);
    }
  }
}

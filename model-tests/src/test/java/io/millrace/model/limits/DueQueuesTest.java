package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.CopyReport;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.Result;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many queues with many jobs that come due while the queues are not in memory: together more than a
 * batch of the store.
 */
@Timeout(120)
@Tag("thorough")
class DueQueuesTest {

  /** Rows of one queue that are moved at a time. */
  private static final int STEP = 1_000;

  /** As many steps, of jobs with the longest errors, are more than 64 MiB. */
  private static final int QUEUE_COUNT = 16;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"LMDB", "ROCKSDB"})
  void crash_aLeaseInEachQueue_storeIsCopiedAndOpens(StoreKind kind) {
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      for (int i = 0; i < QUEUE_COUNT; i++) {
        limited.addRetries(i, STEP);
        limited.addReady(i, 1);
        limited.claim(i, 1);
      }
      limited.harness().storeLeases();
      limited.dieUntilAllIsDue();

      StorePlace copy = place(kind, "copy");
      CopyReport copied = Stores.copy(limited.place(), copy);
      limited.harness().openAgain();

      assertThat(copied.leftOutCount()).isZero();
      assertOpensWithAllJobs(copy);
      for (int i = 0; i < QUEUE_COUNT; i++) {
        limited.awaitReady(i, STEP + 1);
        assertThat(limited.queue(i).stats().orElseThrow().total(Total.EXPIRED)).isEqualTo(1);
      }
      limited.assertClean();
      limited.harness().restartCleanly();
      limited.assertUnharmed();
    }
  }

  private static void assertOpensWithAllJobs(StorePlace copy) {
    EngineOptions options = EngineOptions.DEFAULT;
    try (JobEngine engine = JobEngine.open(copy.factory(), copy.options(), options)) {
      for (int i = 0; i < QUEUE_COUNT; i++) {
        QueueStats stats = engine.queue("queue " + i).stats().orElseThrow();
        assertThat(stats.count(JobState.READY) + stats.count(JobState.DELAYED)).isEqualTo(STEP + 1);
      }
      assertThat(engine.poison()).isEmpty();
    }
  }

  private StorePlace place(StoreKind kind, String name) {
    return new StorePlace(kind.newFactory(), StoreOptions.of(folder.resolve(name)));
  }

  @ParameterizedTest
  @EnumSource(names = {"LMDB", "ROCKSDB"})
  void sweep_aTimeToLiveIsOverInEachQueue_dropsThese(StoreKind kind) {
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      for (int i = 0; i < QUEUE_COUNT; i++) {
        limited.addRetries(i, STEP);
        limited.add(i, 1, EnqueueOptions.DEFAULT.timeToLive(Duration.ofSeconds(1)));
      }

      limited.restartWhenAllIsDue();

      for (int i = 0; i < QUEUE_COUNT; i++) {
        limited.awaitReady(i, STEP);
        assertThat(limited.queue(i).stats().orElseThrow().total(Total.DROPPED)).isEqualTo(1);
      }
      limited.assertClean();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LMDB", "ROCKSDB"})
  void claim_overAllQueues_isServedAndNothingIsLost(StoreKind kind) throws InterruptedException {
    int queues = 24;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      List<QueueName> names = new ArrayList<>();
      for (int i = 0; i < queues; i++) {
        limited.addRetries(i, STEP);
        names.add(limited.queue(i).name());
      }
      limited.harness().restartCleanly();
      List<CompletableFuture<List<Lease>>> claim = new ArrayList<>();

      limited.together(
          () -> {
            claim.add(limited.engine().claimAsync(names, LimitedEngine.longClaim().max(STEP)));
            limited.harness().clock().advanceMs(LimitedEngine.DELAY.toMillis() + 1);
          },
          1);

      List<Lease> leases = Await.join(claim.get(0));
      assertThat(leases).isNotEmpty();
      limited.engine().releaseAll(leases).forEach(Result::orThrow);
      for (int i = 0; i < queues; i++) {
        limited.awaitReady(i, STEP);
      }
      limited.assertClean();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "LMDB", "ROCKSDB"})
  void claims_ofOneQueueEachBesideALargeCall_areServedAndTheCallIsCarriedOut(StoreKind kind)
      throws InterruptedException {
    int queues = 40;
    int jobs = 10_000;
    try (LimitedEngine limited = new LimitedEngine(kind, folder.resolve("store"))) {
      EnqueueOptions later = EnqueueOptions.DEFAULT.delay(LimitedEngine.DELAY);
      IntStream.range(0, queues).forEach(i -> limited.add(i, STEP, later));
      limited.harness().restartCleanly();
      List<CompletableFuture<List<Lease>>> claims = new ArrayList<>();
      List<CompletableFuture<List<Enqueued>>> call = new ArrayList<>();
      // Four rows each: with those that come due more than a batch takes.
      EnqueueOptions four = later.timeToLive(Duration.ofDays(1));
      List<NewJob> added = Collections.nCopies(jobs, new NewJob(new byte[1_025], four));

      limited.together(
          () -> {
            for (int i = 0; i < queues; i++) {
              ClaimOptions one = LimitedEngine.longClaim().waiting(Duration.ofMinutes(1));
              claims.add(limited.queue(i).claimAsync(one));
            }
            call.add(limited.engine().queue("large").enqueueAllAsync(added));
            limited.harness().clock().advanceMs(LimitedEngine.DELAY.toMillis() + 1);
          },
          queues + 1);

      claims.forEach(claim -> assertThat(Await.join(claim)).hasSize(1));
      assertThat(Await.join(call.get(0))).hasSize(jobs).allMatch(Enqueued.class::isInstance);
      for (int i = 0; i < queues; i++) {
        limited.awaitReady(i, STEP - 1);
        assertThat(limited.count(i, JobState.LEASED)).isEqualTo(1);
      }
      limited.assertClean();
    }
  }
}

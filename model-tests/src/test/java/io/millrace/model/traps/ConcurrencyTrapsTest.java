package io.millrace.model.traps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.ClaimOptions;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.PageRequest;
import io.millrace.api.QueueStats;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.EachStoreKind;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.fault.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Many threads at once: no job with two owners, no wake-up lost, no count that drifts. */
@Tag("slow")
class ConcurrencyTrapsTest extends TrapTest {

  private static final int THREAD_COUNT = 8;

  private EngineHarness startInRealTime(StoreKind kind) {
    return start(kind, clock -> EngineOptions.DEFAULT.clock(EngineClock.SYSTEM));
  }

  private static void inParallel(int threadCount, Callable<?> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(threadCount);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threadCount; i++) {
        running.add(threads.submit(work));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void claim_manyThreadsOnOneQueue_eachJobHasOneOwner(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue mail = mail(harness);
    List<NewJob> jobs = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      jobs.add(NewJob.of(("job " + i).getBytes(UTF_8)));
    }
    mail.enqueueAll(jobs);
    Set<JobId> owned = ConcurrentHashMap.newKeySet();
    Set<Long> tokens = ConcurrentHashMap.newKeySet();
    AtomicInteger doubled = new AtomicInteger();

    inParallel(
        THREAD_COUNT,
        () -> {
          List<Lease> leases = claim(mail, 3);
          while (!leases.isEmpty()) {
            for (Lease lease : leases) {
              if (!owned.add(lease.jobId()) || !tokens.add(lease.token())) {
                doubled.incrementAndGet();
              }
              assertThat(lease.complete()).isEqualTo(CompleteResult.COMPLETED);
            }
            leases = claim(mail, 3);
          }
          return null;
        });

    assertThat(doubled).hasValue(0);
    assertThat(owned).hasSize(2_000);
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void claim_parkedWhileOthersEnqueue_losesNoWakeUp(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue mail = mail(harness);
    int jobCount = Trials.count("awaited.jobs", 500, 2_000, 2_000);
    AtomicInteger enqueued = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();

    inParallel(
        THREAD_COUNT,
        () -> {
          boolean isProducer =
              enqueued.get() < jobCount && Thread.currentThread().getName().hashCode() % 2 == 0;
          while (isProducer && enqueued.getAndIncrement() < jobCount) {
            mail.enqueue(new byte[50]);
          }
          while (done.get() < jobCount) {
            for (Lease lease : mail.claim(ClaimOptions.by("worker").waiting(ofSeconds(1)))) {
              lease.complete().orThrow();
              done.incrementAndGet();
            }
            if (enqueued.getAndIncrement() < jobCount) {
              mail.enqueue(new byte[50]);
            }
          }
          return null;
        });

    QueueStats stats = mail.stats().orElseThrow();
    assertThat(done).hasValue(jobCount);
    assertThat(stats.total(Total.COMPLETED)).isEqualTo(jobCount);
    assertThat(stats.count(JobState.READY)).isZero();
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void claim_pingPong_wakesAtOnceEveryTime(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue there = harness.queues().queue("there");
    JobQueue back = harness.queues().queue("back");
    int rounds = Trials.count("ping.pongs", 300, 1_000, 1_000);

    Thread partner =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                for (Lease lease : there.claim(ClaimOptions.by("partner").waiting(ofSeconds(20)))) {
                  lease.complete().orThrow();
                  back.enqueue(lease.payload());
                }
              }
            });
    partner.start();
    for (int i = 0; i < rounds; i++) {
      there.enqueue(("round " + i).getBytes(UTF_8));
      List<Lease> leases = back.claim(ClaimOptions.by("main").waiting(ofSeconds(20)));
      assertThat(payloads(leases)).containsExactly("round " + i);
      leases.get(0).complete().orThrow();
    }
    partner.join(30_000);
    assertThat(partner.isAlive()).isFalse();
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void cancel_racingClaims_eachJobEndsOneWayOnly(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue mail = mail(harness);
    List<JobId> ids = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add(enqueue(mail, "job " + i, EnqueueOptions.DEFAULT.priority(i % 3)));
    }
    AtomicInteger next = new AtomicInteger();
    Set<JobId> cancelled = ConcurrentHashMap.newKeySet();
    Set<JobId> completed = ConcurrentHashMap.newKeySet();

    inParallel(
        THREAD_COUNT,
        () -> {
          for (int i = next.getAndIncrement(); i < ids.size(); i = next.getAndIncrement()) {
            if (harness.queues().cancelIfWaiting(ids.get(i)) == CancelResult.CANCELLED) {
              cancelled.add(ids.get(i));
            }
            for (Lease lease : claim(mail, 1)) {
              if (lease.complete() == CompleteResult.COMPLETED) {
                completed.add(lease.jobId());
              }
            }
          }
          return null;
        });

    assertThat(cancelled.size() + completed.size()).isEqualTo(ids.size());
    assertThat(cancelled).doesNotContainAnyElementsOf(completed);
    QueueStats stats = mail.stats().orElseThrow();
    assertThat(stats.counts().values()).containsOnly(0L);
    assertThat(stats.total(Total.CANCELLED)).isEqualTo(cancelled.size());
    assertClean(harness);
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void read_moreThreadsThanReaderSlots_allAreAnswered(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue mail = mail(harness);
    JobId id = enqueue(mail, "a");

    inParallel(
        200,
        () -> {
          for (int i = 0; i < 20; i++) {
            assertThat(harness.queues().get(id)).isPresent();
            assertThat(mail.peek(JobState.READY, PageRequest.first(10)).items()).hasSize(1);
            assertThat(mail.stats()).isPresent();
          }
          return null;
        });
  }

  @ParameterizedTest
  @EachStoreKind({StoreKind.MEMORY, StoreKind.LMDB, StoreKind.ROCKSDB})
  void complete_sameLeaseFromManyThreads_isDoneOnce(StoreKind kind) throws Exception {
    EngineHarness harness = startInRealTime(kind);
    JobQueue mail = mail(harness);
    for (int round = 0; round < 50; round++) {
      enqueue(mail, "a");
      Lease lease = claim(mail);
      AtomicInteger completed = new AtomicInteger();
      inParallel(
          4,
          () -> {
            if (lease.complete() == CompleteResult.COMPLETED) {
              completed.incrementAndGet();
            }
            return null;
          });
      assertThat(completed).hasValue(1);
    }
    assertThat(mail.stats().orElseThrow().total(Total.COMPLETED)).isEqualTo(50);
  }
}

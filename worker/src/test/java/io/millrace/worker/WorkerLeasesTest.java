package io.millrace.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.LeaseLostException;
import io.millrace.api.Table;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases of running jobs: kept, lost, and given up for a cancelled job. */
@Tag("slow")
@Timeout(90)
class WorkerLeasesTest extends WorkerRig {

  /** How a job is taken away from its worker. */
  enum Loss {
    CANCELLED_AND_RELEASED,
    QUEUE_DELETED,
    RELEASED_BY_OTHERS,
    COMPLETED_BY_OTHERS
  }

  private void lose(Loss loss, JobId id) {
    awaitState(id, JobState.LEASED);
    switch (loss) {
      case CANCELLED_AND_RELEASED -> {
        assertThat(queues.cancel(id)).isEqualTo(CancelResult.REQUESTED);
        release(id);
      }
      case QUEUE_DELETED -> assertThat(queues.queue("mail").delete()).isTrue();
      case RELEASED_BY_OTHERS -> release(id);
      case COMPLETED_BY_OTHERS ->
          queues.lease(id, job(id).lease().orElseThrow().token()).complete().orThrow();
    }
  }

  private void release(JobId id) {
    queues.admin().release(id).orThrow();
  }

  @Test
  void manyLongJobs_allLeasesAreKept() throws Exception {
    int count = 300;
    CountDownLatch go = latch();
    CountDownLatch running = new CountDownLatch(count);
    AtomicInteger attempts = new AtomicInteger();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  attempts.accumulateAndGet(job.attempt(), Math::max);
                  running.countDown();
                  go.await();
                })
            .concurrency(count)
            .leaseDuration(ofMillis(900))
            .listener(told)
            .start();
    for (int i = 0; i < count; i++) {
      queues.enqueue(MAIL, "m");
    }
    running.await();

    // Three times as long as the leases are.
    long endNs = System.nanoTime() + ofMillis(2_700).toNanos();
    await("the leases would be over", () -> System.nanoTime() - endNs >= 0);

    assertThat(worker.running()).hasSize(count);
    assertThat(engine.metrics().leaseCount()).isEqualTo(count);
    go.countDown();
    await("all are done", () -> told.ended.size() == count);
    assertThat(told.ended.values()).allMatch(end -> end.outcome() == Outcome.COMPLETED);
    assertThat(told.lost).isEmpty();
    assertThat(attempts.get()).isEqualTo(1);
  }

  @Test
  void leaseOfTheLeastLength_isKept() throws Exception {
    CountDownLatch kept = latch();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> { // a machine that stalls for 100 ms may lose some before
              long endNs = System.nanoTime() + ofMillis(400).toNanos();
              while (System.nanoTime() - endNs < 0) {
                job.checkAlive();
                LockSupport.parkNanos(ofMillis(1).toNanos());
              }
              job.completeWith(tx -> "kept");
              kept.countDown();
            })
        .leaseDuration(ofMillis(100))
        .start();

    queues.enqueue(MAIL, "m", options -> options.maxAttempts(1_000));

    assertThat(kept.await(80, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void jobWithALongLeaseOfItsOwn_besideOneWithAShortOne_bothAreKept() throws Exception {
    CountDownLatch go = latch();
    Worker.on(queues).handle(MAIL, (text, job) -> go.await()).listener(told).start();
    queues.admin().configure("mail", q -> q.leaseDuration(ofSeconds(60)));
    JobId slow = queues.enqueue(MAIL, "long").jobId();
    JobId quick = queues.enqueue(MAIL, "short", o -> o.leaseDuration(ofMillis(900))).jobId();
    awaitState(slow, JobState.LEASED);
    awaitState(quick, JobState.LEASED);

    long endNs = System.nanoTime() + ofMillis(2_000).toNanos();
    await("the short one would be over", () -> System.nanoTime() - endNs >= 0);

    assertThat(told.lost).isEmpty();
    go.countDown();
    await("both ended", () -> told.ended.size() == 2);
    assertThat(told.ended.values()).allMatch(end -> end.outcome() == Outcome.COMPLETED);
  }

  @ParameterizedTest
  @EnumSource
  void leaseIsLost_handlerIsToldAndItsLateEndChangesNothing(Loss loss) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch lost = latch();
    CountDownLatch go = latch();
    AtomicInteger runs = new AtomicInteger();
    Table<String, Long> rows = queues.table("rows", Codec.TEXT, Codec.LONG);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  if (runs.getAndIncrement() > 0) {
                    go.await();
                    return;
                  }
                  begun.countDown();
                  runOnThoughLost(job, rows);
                })
            .concurrency(1)
            .leaseDuration(ofMillis(900))
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();

    lose(loss, id);
    lost.countDown();

    assertThat(heard()).isEqualTo("interrupted");
    assertThat(heard()).isEqualTo("stop true");
    assertThat(heard()).isEqualTo("ended");
    await("its end is told", () -> told.ended.containsKey(id));
    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.LOST);
    await("its loss is told", () -> told.lost.contains(id)); // By another thread than its end.
    assertThat(told.lost).containsExactly(id);
    assertThat(rows.get("late")).isEmpty();
    if (loss == Loss.RELEASED_BY_OTHERS) {
      await("it runs again", () -> worker.busy() == 1);
      awaitState(id, JobState.LEASED);
      assertThat(job(id).attempts()).isEqualTo(1);
      assertThat(job(id).checkpointed()).isEmpty();
    } else {
      assertThat(queues.get(id)).isEmpty();
    }
    go.countDown();
    await("it is idle", () -> worker.busy() == 0);
    queues.enqueue(MAIL, "next");
    await("the next one is run", () -> told.ended.size() == 2 || runs.get() > 1);
  }

  private void runOnThoughLost(HandlerContext job, Table<String, Long> rows) {
    try {
      latch().await();
    } catch (InterruptedException e) {
      said.add("interrupted");
    }
    said.add("stop " + job.isToStop());
    assertThatThrownBy(job::checkAlive).isInstanceOf(JobStoppedException.class);
    assertThatThrownBy(
            () ->
                job.completeWith(
                    tx -> {
                      tx.put(rows, "late", 1L);
                      return 1;
                    }))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> job.checkpoint(new byte[1])).isInstanceOf(LeaseLostException.class);
    said.add("ended");
  }

  @Test
  void leaseIsLost_handlerThrows_isToldAsLostAndTheJobIsNotFailed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              if (runs.getAndIncrement() == 0) {
                begun.countDown();
                latch().await();
              }
              said.add("attempt " + job.attempt() + job.lastError());
            })
        .leaseDuration(ofMillis(900))
        .listener(told)
        .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();
    awaitState(id, JobState.LEASED);

    release(id);

    assertThat(heard()).isEqualTo("attempt 1Optional.empty");
    assertThat(told.next()).isIn("mail LOST", "mail COMPLETED");
    assertThat(told.next()).isIn("mail LOST", "mail COMPLETED");
    assertThat(queues.get(id)).isEmpty();
  }

  @Test
  void lease_lostBeforeTheHandlerBegins_handlerIsNotCalled() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    CountDownLatch go = latch();
    Worker.on(queues)
        .handle(REPORT, (text, job) -> go.await())
        .handle(MAIL, (text, job) -> said.add(text))
        .executor(one)
        .concurrency(2)
        .leaseDuration(ofMillis(900))
        .listener(told)
        .start();
    JobId report = queues.enqueue(REPORT, "r").jobId();
    awaitState(report, JobState.LEASED);
    JobId mail = queues.enqueue(MAIL, "m").jobId();
    awaitState(mail, JobState.LEASED);

    queues.lease(mail, job(mail).lease().orElseThrow().token()).complete().orThrow();
    await("it is told", () -> told.lost.contains(mail));
    go.countDown();

    assertThat(told.next()).isIn("report COMPLETED", "mail LOST");
    assertThat(told.next()).isIn("report COMPLETED", "mail LOST");
    assertThat(said).isEmpty();
    one.shutdown();
  }

  @Test
  void cancel_ofARunningJob_interruptsItAndItIsGone() throws Exception {
    Worker worker = busyWorker(latch());
    JobId id = worker.running().get(0).jobId();

    assertThat(worker.cancel(id)).isEqualTo(CancelResult.REQUESTED);

    assertThat(told.next()).isEqualTo("mail CANCELLED");
    assertThat(queues.get(id)).isEmpty();
    assertThat(worker.cancel(id)).isEqualTo(CancelResult.GONE);
  }

  @Test
  void cancel_atTheEngine_isLearntAtTheNextExtension() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              begun.countDown();
              while (true) {
                job.checkAlive();
                Thread.onSpinWait();
              }
            })
        .leaseDuration(ofMillis(900))
        .listener(told)
        .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();

    assertThat(queues.cancel(id)).isEqualTo(CancelResult.REQUESTED);

    assertThat(told.next()).isEqualTo("mail CANCELLED");
    assertThat(queues.get(id)).isEmpty();
  }

  @Test
  void cancel_handlerSaysThatItIsDone_isCompleted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  awaitDeaf(go);
                  job.done();
                })
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();
    assertThat(worker.cancel(id)).isEqualTo(CancelResult.REQUESTED);
    go.countDown();

    assertThat(told.next()).isEqualTo("mail COMPLETED");
    assertThat(queues.get(id)).isEmpty();
  }

  @Test
  void completeWith_handlerRunsOnForLong_leaseIsNotToldAsLost() throws Exception {
    CountDownLatch go = latch();
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              job.completeWith(tx -> 1);
              said.add("done");
              go.await();
              said.add("stop " + job.isToStop());
            })
        .leaseDuration(ofMillis(900))
        .listener(told)
        .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    heard();
    assertThat(queues.get(id)).isEmpty();

    long endNs = System.nanoTime() + ofMillis(2_000).toNanos();
    await("its lease would be over", () -> System.nanoTime() - endNs >= 0);
    go.countDown();

    assertThat(heard()).isEqualTo("stop false");
    assertThat(told.next()).isEqualTo("mail COMPLETED");
    assertThat(told.lost).isEmpty();
  }
}

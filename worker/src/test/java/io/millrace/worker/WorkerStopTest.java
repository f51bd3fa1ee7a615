package io.millrace.worker;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.worker.JobRunEnd.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How workers stop, and that nothing of them is left. */
@Tag("slow")
@Timeout(120)
class WorkerStopTest extends WorkerRig {

  @Test
  void stop_jobsEndWithinTheGrace_areFinished() throws Exception {
    CountDownLatch begun = new CountDownLatch(3);
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(queues).handle(MAIL, waiting(begun, go)).concurrency(4).listener(told).start();
    for (int i = 0; i < 3; i++) {
      queues.enqueue(MAIL, "m");
    }
    begun.await();
    CompletableFuture<StopReport> stopping =
        CompletableFuture.supplyAsync(() -> worker.stop(ofSeconds(60)));
    awaitStopBegun();
    queues.enqueue(MAIL, "m");
    queues.enqueue(MAIL, "m");
    assertThat(worker.isStopped()).isFalse();
    go.countDown();

    StopReport report = stopping.get(60, TimeUnit.SECONDS);

    assertThat(report.interrupted()).isZero();
    assertThat(report.finished()).isEqualTo(3);
    await("ends are told", () -> told.ends.size() == 3);
    assertThat(told.ends).containsExactly("mail COMPLETED", "mail COMPLETED", "mail COMPLETED");
    assertThat(queues.queue("mail").stats().orElseThrow().counts().get(JobState.READY))
        .isEqualTo(2L);
    assertNothingLeft();
  }

  @Test
  void stop_handlerFailsBecauseOfTheInterrupt_isHandedBackUncountedAndOthersThatFailAreCounted()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch fail = latch();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  if (text.equals("fails")) {
                    fail.await();
                    throw new IllegalStateException("by itself");
                  }
                  latch().await();
                })
            .concurrency(2)
            .listener(told)
            .start();
    JobId fails = queues.enqueue(MAIL, "fails").jobId();
    JobId waits = queues.enqueue(MAIL, "waits").jobId();
    begun.await();
    fail.countDown();
    await("one failed", () -> told.ended.containsKey(fails));

    worker.stop(ZERO);

    assertThat(job(fails).attempts()).isEqualTo(1);
    assertThat(job(waits).attempts()).isZero();
    assertThat(job(waits).state()).isEqualTo(JobState.READY);
    assertThat(job(waits).lastError()).isEmpty();
    await("its end is told", () -> told.ended.containsKey(waits));
    assertThat(told.ended.get(waits).outcome()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void stop_handlerCompletesInSpiteOfTheInterrupt_isCompletedOrRunsAgain() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  try {
                    latch().await();
                  } catch (InterruptedException e) {
                    job.completeWith(tx -> 1);
                  }
                })
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();

    StopReport report = worker.stop(ZERO);

    // It is done or handed back; what is told is what is so.
    await("its end is told", () -> told.ended.containsKey(id));
    if (told.ended.get(id).outcome() == Outcome.COMPLETED) {
      assertThat(queues.get(id)).isEmpty();
      assertThat(report.released()).isZero();
    } else {
      assertThat(job(id).state()).isEqualTo(JobState.READY);
      assertThat(report.released()).isEqualTo(1);
    }
    assertNothingLeft();
  }

  @Test
  void stop_calledAgain_returnsAndSaysTheSame() throws Exception {
    Worker worker = busyWorker(latch());

    StopReport first = worker.stop(ZERO);
    StopReport second = worker.stop(ofSeconds(60));
    worker.close();

    assertThat(first).isEqualTo(new StopReport(0, 1, 1));
    assertThat(second).isIn(first, new StopReport(0, 0, 0));
    assertThatThrownBy(() -> worker.concurrency(0)).isInstanceOf(IllegalArgumentException.class);
    worker.pause();
    worker.resume();
    worker.concurrency(9);
    queues.enqueue(MAIL, "n");
    assertNothingLeft();
  }

  @Test
  void stop_byManyThreads_allReturnWhenItIsStopped() throws Exception {
    CountDownLatch go = latch();
    Worker worker = busyWorker(go);
    List<CompletableFuture<Boolean>> stops = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      CompletableFuture<Boolean> stop = new CompletableFuture<>();
      stops.add(stop);
      Thread thread =
          new Thread(
              () -> {
                worker.stop(ofSeconds(60));
                stop.complete(engine.metrics().leaseCount() == 0);
              });
      thread.start();
      threads.add(thread);
    }
    awaitStopBegun();
    go.countDown();

    for (CompletableFuture<Boolean> stop : stops) {
      assertThat(stop.get(60, TimeUnit.SECONDS)).as("no lease is left when stop returns").isTrue();
    }
    assertNothingLeft();
  }

  @Test
  void stop_againWithAShorterGrace_theShorterOneIsKept() throws Exception {
    Worker worker = busyWorker(latch());
    CompletableFuture<StopReport> stopping =
        CompletableFuture.supplyAsync(() -> worker.stop(ofSeconds(3_600)));
    awaitStopBegun();

    assertThat(worker.stop(ofMillis(1))).isEqualTo(new StopReport(0, 1, 1));

    assertThat(stopping.get(20, TimeUnit.SECONDS)).isEqualTo(new StopReport(0, 1, 1));
  }

  @Test
  void stop_handlerHasCompletedItsJobAndGoesOn_isToldAsCompleted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = latch();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  job.completeWith(tx -> 1);
                  begun.countDown();
                  awaitDeaf(go);
                })
            .listener(told)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    begun.await();

    StopReport report = worker.stop(ZERO);
    go.countDown();

    assertThat(report.released()).isZero();
    await("its end is told", () -> told.ended.containsKey(id));
    assertThat(told.ended.get(id).outcome()).isEqualTo(Outcome.COMPLETED);
  }

  /** More than one call of the engine may have. */
  @Test
  void stop_elevenThousandJobsWaitForTheirThreads_areHandedBack() throws Exception {
    int count = 11_000;
    java.util.concurrent.ExecutorService one =
        java.util.concurrent.Executors.newSingleThreadExecutor();
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> latch().await())
            .executor(one)
            .concurrency(count)
            .leaseDuration(ofSeconds(4))
            .listener(told)
            .start();
    List<String> mails = java.util.Collections.nCopies(count / 2, "m");
    queues.enqueueAll(MAIL, mails);
    queues.enqueueAll(MAIL, mails);
    await("all are claimed", () -> worker.busy() == count);
    long endNs = System.nanoTime() + ofSeconds(6).toNanos();
    await("leases would be over", () -> System.nanoTime() - endNs >= 0);

    assertThat(told.lost).isEmpty();
    assertThat(engine.metrics().leaseCount()).isEqualTo(count);
    StopReport report = worker.stop(ZERO);

    assertThat(report.released()).isEqualTo(count);
    assertNothingLeft();
    assertThat(queues.queue("mail").stats().orElseThrow().counts().get(JobState.READY))
        .isEqualTo((long) count);
    one.shutdown();
  }

  /** One that waits for itself would wait for the whole grace. */
  @Test
  void stop_fromInsideAHandler_returnsAndTheWorkerStops() throws Exception {
    CompletableFuture<Worker> self = new CompletableFuture<>();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  self.get().stop(ofMillis(200));
                  said.add("returned");
                })
            .listener(told)
            .start();
    self.complete(worker);
    queues.enqueue(MAIL, "m");

    assertThat(heard()).isEqualTo("returned");
    await("it is stopped", worker::isStopped);
    assertNothingLeft();
  }

  @Test
  void stop_fromAListener_returnsAndTheWorkerStops() throws Exception {
    CompletableFuture<Worker> self = new CompletableFuture<>();
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .listener(
                new WorkerListener() {
                  @Override
                  public void started(JobContext job) {
                    self.join().stop(ofMillis(200));
                  }
                })
            .start();
    self.complete(worker);
    queues.enqueue(MAIL, "m");

    await("it is stopped", worker::isStopped);
    assertNothingLeft();
  }

  @Test
  void stop_whilePaused_returns() throws Exception {
    Worker worker = Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).start();
    queues.enqueue(MAIL, "m");
    heard();
    worker.pause();
    JobId id = queues.enqueue(MAIL, "n").jobId();

    worker.stop(ofSeconds(60));
    worker.resume();

    assertNothingLeft();
    assertThat(job(id).state()).isEqualTo(JobState.READY);
  }

  @Test
  void stop_callerIsInterrupted_graceIsOverAndTheInterruptIsKept() throws Exception {
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Worker worker = busyWorker(latch());
    JobId id = worker.running().get(0).jobId();
    Thread caller =
        new Thread(
            () -> {
              worker.stop(ofSeconds(3_600));
              kept.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    awaitStopBegun();

    caller.interrupt();

    assertThat(kept.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(job(id).state()).isEqualTo(JobState.READY);
    assertThat(job(id).attempts()).isZero();
    assertNothingLeft();
  }

  @Test
  void stop_negativeGrace_isRefused() {
    Worker worker = Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).start();

    assertThatThrownBy(() -> worker.stop(ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grace");
  }

  @Test
  void stop_underLoad_nothingIsLostAndNoAttemptCounts() throws Exception {
    Random random = new Random(7);
    AtomicInteger attemptMost = new AtomicInteger();
    int enqueued = 0;
    for (int round = 0; round < 40; round++) {
      int spinUs = random.nextInt(300);
      Worker worker =
          Worker.on(queues)
              .handle(
                  MAIL,
                  (text, job) -> {
                    attemptMost.accumulateAndGet(job.attempt(), Math::max);
                    long endNs = System.nanoTime() + spinUs * 1_000L;
                    while (System.nanoTime() - endNs < 0) {
                      job.checkAlive();
                    }
                    job.completeWith(tx -> 1);
                  })
              .concurrency(1 + random.nextInt(8))
              .start();
      for (int i = 0; i < 25; i++, enqueued++) {
        queues.enqueue(MAIL, "m");
      }
      worker.stop(ofMillis(random.nextInt(4)));
      assertNothingLeft();
    }
    Worker.on(queues)
        .handle(
            MAIL,
            (text, job) -> {
              attemptMost.accumulateAndGet(job.attempt(), Math::max);
              job.completeWith(tx -> 1);
            })
        .start();
    int all = enqueued;

    // Not the handlers': one that was interrupted may not know that it has completed its job.
    await("all are done", () -> total(QueueStats.Total.COMPLETED) >= all);
    assertThat(total(QueueStats.Total.COMPLETED)).isEqualTo(all);
    assertThat(attemptMost.get()).isEqualTo(1);
  }

  private long total(QueueStats.Total total) {
    return queues.queue("mail").stats().orElseThrow().totals().get(total);
  }

  @InProcess("a client and a server have threads that stay for a while")
  @Test
  void startAndStop_manyTimes_leavesNothing() throws Exception {
    Worker first = start(0);
    first.stop(ofSeconds(60));
    await("its threads are gone", () -> threadCount("leak-check") == 0);
    long threadsBefore = Thread.activeCount();

    for (int round = 1; round <= 200; round++) {
      Worker worker = start(round);
      queues.enqueue(MAIL, "m");
      if (round % 3 > 0) {
        heard();
      }
      worker.stop(round % 2 == 0 ? ZERO : ofSeconds(60));
      assertNothingLeft();
    }

    assertNothingLeft();
    await("threads are gone", () -> threadCount("leak-check") == 0);
    await("no more threads than before", () -> Thread.activeCount() <= threadsBefore + 2);
  }

  private Worker start(int round) {
    return Worker.on(queues)
        .handle(MAIL, (text, job) -> said.add(text))
        .handle(REPORT, (text, job) -> said.add(text))
        .name("leak-check-" + round)
        .concurrency(1 + round % 5)
        .start();
  }
}

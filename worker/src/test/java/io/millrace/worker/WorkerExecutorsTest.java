package io.millrace.worker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats;
import io.millrace.spi.testkit.rig.InProcess;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Executors of the user: whatever they do, no job and no slot is lost. */
@Tag("slow")
@InProcess("how handlers run is the affair of the worker alone")
@Timeout(90)
class WorkerExecutorsTest extends WorkerRig {

  @Test
  void executor_rejects_jobsAreHandedBackUncountedAndNoSlotIsLost() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Runnable refusal =
        () -> {
          throw new RejectedExecutionException("thrown by the test");
        };
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text + job.attempt()))
            .executor(moody(threads, 6, refusal))
            .concurrency(2)
            .listener(told)
            .start();

    for (int i = 0; i < 4; i++) {
      queues.enqueue(MAIL, "m", o -> o.maxAttempts(1));
    }

    for (int i = 0; i < 4; i++) {
      assertThat(heard()).isEqualTo("m1");
    }
    await("it is idle", () -> worker.busy() == 0);
    worker.stop(ofSeconds(10));
    assertNothingLeft();
    threads.shutdown();
  }

  @Test
  void executor_throwsAnError_workerLivesOn() throws Exception {
    assertRunsAfter(
        3,
        () -> {
          throw new OutOfMemoryError("unable to create native thread (thrown by the test)");
        });
  }

  /** A worker of one slot, whose executor refuses a job so many times, runs it after all. */
  private void assertRunsAfter(int refusalCount, Runnable refusal) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text + job.attempt()))
            .executor(moody(threads, refusalCount, refusal))
            .concurrency(1)
            .start();

    queues.enqueue(MAIL, "m", o -> o.maxAttempts(1));

    assertThat(heard()).isEqualTo("m1");
    await("it is idle", () -> worker.busy() == 0);
    threads.shutdown();
  }

  /** Refuses so many times, and then has these threads. */
  private static Executor moody(Executor threads, int refusalCount, Runnable refusal) {
    AtomicInteger left = new AtomicInteger(refusalCount);
    return work -> {
      if (left.getAndDecrement() > 0) {
        refusal.run();
      } else {
        threads.execute(work);
      }
    };
  }

  /** As a pool does whose threads are all busy, and whose caller is to run what is refused. */
  @Test
  void executor_runsInTheCallerForLong_leasesAndTimesAreKept() throws Exception {
    CountDownLatch go = latch();
    Worker.on(queues)
        .handle(MAIL, (text, job) -> awaitDeaf(go))
        .handle(REPORT, (text, job) -> latch().await(), h -> h.timeout(ofMillis(50)))
        .executor(Runnable::run)
        .leaseDuration(ofMillis(900))
        .listener(told)
        .start();
    JobId report = queues.enqueue(REPORT, "r", o -> o.maxAttempts(1)).jobId();
    assertThat(told.next()).isEqualTo("report DIED");
    assertThat(job(report).lastError().orElseThrow()).startsWith("timed out");
    queues.enqueue(MAIL, "m");

    assertThat(told.ends.poll(2_000, MILLISECONDS)).isNull();
    assertThat(told.lost).isEmpty();
    go.countDown();

    assertThat(told.next()).isEqualTo("mail COMPLETED");
  }

  @Test
  void executor_throwsAnythingElse_jobIsHandedBackAndNoSlotIsLost() throws Exception {
    assertRunsAfter(
        2,
        () -> {
          throw new IllegalStateException("thrown by the test");
        });
  }

  @Test
  void executor_isShutDown_jobsAreHandedBackAndStopReturns() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Worker worker =
        Worker.on(queues).handle(MAIL, (text, job) -> said.add(text)).executor(threads).start();
    queues.enqueue(MAIL, "m");
    heard();
    threads.shutdown();

    JobId id = queues.enqueue(MAIL, "n").jobId();
    await("it was handed back", () -> engine.metrics().operations(QueueStats.Total.RELEASED) > 0);
    awaitState(id, JobState.READY);
    assertThat(job(id).attempts()).isZero();
    worker.stop(ofSeconds(10));

    assertNothingLeft();
  }

  @Test
  void executor_runsInTheCaller_jobsAreDone() throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .executor(Runnable::run)
            .concurrency(3)
            .listener(told)
            .start();

    for (int i = 0; i < 500; i++) {
      queues.enqueue(MAIL, "m");
    }
    await("all are done", () -> told.ended.size() == 500);

    worker.stop(ofSeconds(10));
    assertNothingLeft();
  }

  @Test
  void executor_blocksForAWhile_jobsAreDoneAndTheEngineIsNotHeldUp() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    CountDownLatch go = latch();
    Executor slow =
        work -> {
          awaitDeaf(go);
          threads.execute(work);
        };
    Worker.on(queues)
        .handle(MAIL, (text, job) -> said.add(text))
        .executor(slow)
        .listener(told)
        .start();
    queues.enqueue(MAIL, "m");

    // Futures of the engine are still answered.
    queues.enqueueAsync(REPORT, "r").get(30, SECONDS);
    go.countDown();

    assertThat(heard()).isEqualTo("m");
    threads.shutdown();
  }

  @Test
  void executor_oneThread_moreAreClaimedThanRunAndTheirLeasesAreKept() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    Semaphore steps = new Semaphore(0);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  steps.acquire();
                  said.add(text + job.attempt());
                })
            .executor(one)
            .concurrency(5)
            .leaseDuration(ofMillis(900))
            .listener(told)
            .start();
    for (int i = 0; i < 10; i++) {
      queues.enqueue(MAIL, "m", o -> o.maxAttempts(1));
    }
    await("one runs", () -> worker.busy() == 5);
    long endNs = System.nanoTime() + ofMillis(2_000).toNanos();
    await("leases would be over", () -> System.nanoTime() - endNs >= 0);
    steps.release(10);

    for (int i = 0; i < 10; i++) {
      assertThat(heard()).isEqualTo("m1");
      assertThat(told.next()).isEqualTo("mail COMPLETED");
    }
    one.shutdown();
  }

  @Test
  void executor_oneThread_timeOfAJobBeginsWithItsHandler() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    CountDownLatch go = latch();
    Worker.on(queues)
        .handle(REPORT, (text, job) -> go.await())
        .handle(MAIL, (text, job) -> said.add("mail"), h -> h.timeout(ofSeconds(20)))
        .executor(one)
        .concurrency(2)
        .listener(told)
        .start();
    JobId report = queues.enqueue(REPORT, "r").jobId();
    awaitState(report, JobState.LEASED);
    JobId mail = queues.enqueue(MAIL, "m").jobId();
    awaitState(mail, JobState.LEASED);

    assertThat(said).isEmpty();
    go.countDown();

    assertThat(heard()).isEqualTo("mail");
    one.shutdown();
  }

  @Test
  void executor_smallPoolThatRejects_everythingIsDoneInTheEnd() throws Exception {
    ThreadPoolExecutor small =
        new ThreadPoolExecutor(1, 1, 1, SECONDS, new ArrayBlockingQueue<>(1));
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .executor(small)
            .concurrency(4)
            .listener(told)
            .start();

    for (int i = 0; i < 12; i++) {
      queues.enqueue(MAIL, "m");
    }

    await("all are done", () -> said.size() == 12);
    worker.stop(ofSeconds(10));
    assertNothingLeft();
    small.shutdown();
  }

  @Test
  void executor_dropsWork_stopReturnsAndHandsItBack() throws Exception {
    Worker worker =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text))
            .executor(work -> {})
            .concurrency(2)
            .start();
    JobId id = queues.enqueue(MAIL, "m").jobId();
    awaitState(id, JobState.LEASED);

    StopReport report = worker.stop(ofMillis(20));

    assertThat(report.released()).isEqualTo(1);
    assertThat(job(id).state()).isEqualTo(JobState.READY);
    assertThat(job(id).attempts()).isZero();
    assertNothingLeft();
  }

  /** As a pool does whose policy is to discard what it has no room for, or that is shut down. */
  @Test
  void executor_dropsWork_jobsAreHandedBackAndRunWhenItDoesNot() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    AtomicInteger dropped = new AtomicInteger();
    WorkerSetup setup =
        Worker.on(queues)
            .handle(MAIL, (text, job) -> said.add(text + job.attempt()))
            .executor(
                work -> {
                  if (dropped.getAndIncrement() >= 2) {
                    threads.execute(work);
                  }
                })
            .concurrency(2)
            .leaseDuration(ofMillis(900));
    setup.beginLeast = ofMillis(300);
    Worker worker = setup.start();

    for (int i = 0; i < 3; i++) {
      queues.enqueue(MAIL, "m", o -> o.maxAttempts(1));
    }

    for (int i = 0; i < 3; i++) {
      assertThat(heard()).isEqualTo("m1");
    }
    await("it is idle", () -> worker.busy() == 0);
    threads.shutdown();
  }

  @Test
  void executor_virtualThreads_runAThousandAtATimeWhereTheJdkHasThem() throws Exception {
    boolean hasThem = Runtime.version().feature() >= 21;
    ExecutorService executor =
        hasThem
            ? (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)
            : Executors.newCachedThreadPool();
    int count = hasThem ? 1_000 : 100;
    CountDownLatch all = new CountDownLatch(count);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  all.countDown();
                  all.await();
                  said.add(Thread.currentThread().toString());
                })
            .executor(executor)
            .concurrency(count)
            .listener(told)
            .start();

    for (int i = 0; i < count; i++) {
      queues.enqueue(MAIL, "m");
    }
    await("all are done", () -> told.ended.size() == count);

    assertThat(said).allMatch(thread -> thread.startsWith("VirtualThread") == hasThem);
    assertThat(worker.stop(ofMinutes(1))).isEqualTo(new StopReport(0, 0, 0));
    executor.shutdown();
  }
}

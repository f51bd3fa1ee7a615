package io.millrace.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.BatchId;
import io.millrace.api.Codec;
import io.millrace.api.CodecException;
import io.millrace.api.Job;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.ResultJobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.Reach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers at work on an engine in memory, in real time. */
@Timeout(60)
class WorkerTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final JobType<Long> NUMBER = JobType.of("number", Codec.LONG);

  private final JobEngine engine = JobEngine.open("memory:here");
  private final JobQueues queues = Reach.to(engine, JobQueues.class);
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final WorkerListener telling =
      new WorkerListener() {
        @Override
        public void ended(JobContext job, JobRunEnd end) {
          ends.add(job.type() + " " + end.outcome());
        }
      };

  @AfterEach
  void close() {
    queues.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      assertThat(never.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @Test
  void handle_jobs_areCompletedAndGone() throws Exception {
    try (Worker worker = Worker.on(queues).handle(MAIL, (mail, job) -> done.add(mail)).start()) {
      JobId id = queues.enqueue(MAIL, "Ada").jobId();

      assertThat(done.poll(10, SECONDS)).isEqualTo("Ada");
      await(() -> queues.get(id).isEmpty());
      assertThat(worker.running()).isEmpty();
    }
  }

  @Test
  void compute_manyResults_eachCallerHasItsOwn() throws Exception {
    ResultJobType<String, String> echo = JobType.of("echo", Codec.TEXT).returning(Codec.TEXT);
    Worker.on(queues).compute(echo, (text, job) -> text + "!").concurrency(8).start();

    List<CompletableFuture<JobEnd<String>>> ends = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      ends.add(queues.submit(echo, "e" + i).end());
    }

    for (int i = 0; i < 300; i++) {
      assertThat(ends.get(i).get(40, SECONDS)).isEqualTo(new JobEnd.Completed<>("e" + i + "!"));
    }
  }

  @Test
  void timeout_handlerIsInterruptedAndFails() throws Exception {
    Worker.on(queues)
        .handle(
            MAIL,
            (mail, job) -> new CountDownLatch(1).await(),
            h -> h.timeout(Duration.ofMillis(20)))
        .listener(telling)
        .start();

    JobId id = queues.enqueue(MAIL, "Ada").jobId();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail RETRIED");
    assertThat(queues.get(id).orElseThrow().lastError().orElseThrow())
        .startsWith("timed out after PT0.02S: java.lang.InterruptedException");
  }

  @Test
  void next_waitsForABatchThatIsNotThere_failsTheAttemptAndSaysWhy() throws Exception {
    assertCannotBeDone(
        (mail, job) -> Next.waitFor(new BatchId(1_000)), "batch is not there: id=00000000000003e8");
  }

  @Test
  void next_codecRefusesItsPayload_failsTheAttemptAndSaysWhy() throws Exception {
    Codec<String> refusing =
        new Codec<>() {
          @Override
          public byte[] encode(String value) {
            throw new CodecException("no bytes for " + value);
          }

          @Override
          public String decode(byte[] bytes) {
            return Codec.TEXT.decode(bytes);
          }
        };
    assertCannotBeDone(
        (mail, job) -> Next.then(JobType.of("next", refusing), mail), "no bytes for Ada");
  }

  /** Runs a job whose handler wants what cannot be done, and expects an attempt that says why. */
  private void assertCannotBeDone(JobSteps<String> steps, String why) throws Exception {
    Worker.on(queues).steps(MAIL, steps).listener(telling).start();

    JobId id = queues.enqueue(MAIL, "Ada").jobId();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail RETRIED");
    assertThat(queues.get(id).orElseThrow().lastError().orElseThrow())
        .startsWith("what the handler wants cannot be done: ")
        .contains(why);
  }

  @Tag("slow")
  @Test
  void lease_handlerTakesLongerThanIt_isKept() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker.on(queues)
        .handle(MAIL, (mail, job) -> go.await())
        .leaseDuration(Duration.ofMillis(900))
        .listener(telling)
        .start();
    JobId id = queues.enqueue(MAIL, "Ada").jobId();
    await(() -> queues.get(id).orElseThrow().state() == JobState.LEASED);

    assertThat(ends.poll(2_000, java.util.concurrent.TimeUnit.MILLISECONDS)).isNull();
    go.countDown();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail COMPLETED");
  }

  @Test
  void stop_runningJobs_areInterruptedAndHandedBackUncounted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (mail, job) -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                })
            .start();
    JobId id = queues.enqueue(MAIL, "Ada").jobId();
    assertThat(begun.await(10, SECONDS)).isTrue();

    StopReport report = worker.stop(Duration.ofMillis(10));

    assertThat(report).isEqualTo(new StopReport(0, 1, 1));
    Job job = queues.get(id).orElseThrow();
    assertThat(job.state()).isEqualTo(JobState.READY);
    assertThat(job.attempts()).isZero();
    assertThat(worker.isStopped()).isTrue();
  }

  @Tag("slow")
  @Test
  void stop_handlerDoesNotEnd_isHandedBackAndItsLateEndChangesNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (mail, job) -> {
                  begun.countDown();
                  while (go.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                  done.add("late");
                })
            .start();
    JobId id = queues.enqueue(MAIL, "Ada").jobId();
    assertThat(begun.await(10, SECONDS)).isTrue();

    StopReport report = worker.stop(Duration.ZERO);
    go.countDown();

    assertThat(report).isEqualTo(new StopReport(0, 1, 1));
    assertThat(done.poll(10, SECONDS)).isEqualTo("late");
    assertThat(queues.get(id).orElseThrow().state()).isEqualTo(JobState.READY);
  }

  @Tag("slow")
  @Test
  void concurrency_ofATypeAndOfAll_isKept() throws Exception {
    AtomicInteger mails = new AtomicInteger();
    AtomicInteger mailsMost = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Worker.on(queues)
        .handle(
            JobType.of("mail", Codec.TEXT).queue("shared"),
            (mail, job) -> {
              mailsMost.accumulateAndGet(mails.incrementAndGet(), Math::max);
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              threads.add(Thread.currentThread());
              Thread.yield();
              now.decrementAndGet();
              mails.decrementAndGet();
            },
            h -> h.concurrency(2))
        .handle(
            NUMBER.queue("shared"),
            (number, job) -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              Thread.yield();
              now.decrementAndGet();
            })
        .concurrency(5)
        .listener(telling)
        .start();

    for (int i = 0; i < 500; i++) {
      queues.enqueue(MAIL.queue("shared"), "Ada");
      queues.enqueue(NUMBER.queue("shared"), 1L, o -> o.weight(2));
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(ends.poll(10, SECONDS)).endsWith("COMPLETED");
    }

    assertThat(mailsMost.get()).isLessThanOrEqualTo(2);
    assertThat(most.get()).isLessThanOrEqualTo(5);
  }

  @Test
  void executor_users_runsTheHandlers() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor(work -> new Thread(work, "users"));
    Worker.on(queues)
        .handle(MAIL, (mail, job) -> done.add(Thread.currentThread().getName()))
        .executor(executor)
        .start();

    queues.enqueue(MAIL, "Ada");

    assertThat(done.poll(10, SECONDS)).isEqualTo("users");
    executor.shutdown();
  }

  @Test
  void start_noHandlers_isRefused() {
    assertThatThrownBy(() -> Worker.on(queues).name("w").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker has no handlers: worker=w; name some");
  }

  @Test
  void engineClosed_workerStops() throws Exception {
    Worker worker = Worker.on(queues).handle(MAIL, (mail, job) -> done.add(mail)).start();

    queues.close();

    await(worker::isStopped);
  }
}

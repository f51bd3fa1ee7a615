package io.millrace.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.api.ResultJobType;
import io.millrace.api.Table;
import io.millrace.engine.JobEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers at work on an engine in memory, in real time. */
@Timeout(60)
class WorkerTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final JobType<Long> NUMBER = JobType.of("number", Codec.LONG);
  private static final ResultJobType<String, Long> COUNT =
      JobType.of("count", Codec.TEXT)
          .defaults(o -> o.resultRetention(Duration.ofHours(1)))
          .returning(Codec.LONG);

  private final JobEngine engine = JobEngine.open("memory:here");
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
    engine.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      assertThat(never.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @Test
  void handle_jobs_areCompletedAndGone() throws Exception {
    try (Worker worker = Worker.on(engine).handle(MAIL, (mail, job) -> done.add(mail)).start()) {
      JobId id = engine.enqueue(MAIL, "Ada").jobId();

      assertThat(done.poll(10, SECONDS)).isEqualTo("Ada");
      await(() -> engine.get(id).isEmpty());
      assertThat(worker.running()).isEmpty();
    }
  }

  @Test
  void compute_job_hasItsResult() throws Exception {
    Worker.on(engine).compute(COUNT, (text, job) -> (long) text.length()).start();

    JobEnd<Long> end = engine.submit(COUNT, "four").end().get(10, SECONDS);

    assertThat(end).isEqualTo(new JobEnd.Completed<>(4L));
  }

  @Test
  void handle_throws_isTriedAgainAndDeadInTheEnd() throws Exception {
    Worker.on(engine)
        .handle(
            MAIL,
            (mail, job) -> {
              done.add(job.attempt() + " " + job.lastError().map(e -> e.lines().findFirst().get()));
              throw new IOException("no route");
            },
            h -> h.backoff(io.millrace.api.Backoff.fixed(Duration.ofMillis(1))))
        .listener(telling)
        .start();

    engine.enqueue(MAIL, "Ada", o -> o.maxAttempts(2));

    assertThat(done.poll(10, SECONDS)).isEqualTo("1 Optional.empty");
    assertThat(done.poll(10, SECONDS)).isEqualTo("2 Optional[java.io.IOException: no route]");
    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail RETRIED");
    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail DEAD");
  }

  @Test
  void handle_payloadIsNone_isDeadAtOnceWithItsBytes() throws Exception {
    Worker.on(engine).handle(NUMBER, (number, job) -> done.add("?")).listener(telling).start();

    JobId id =
        engine
            .queue("number")
            .enqueue("no number".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .jobId();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("number DEAD");
    Job dead = engine.get(id).orElseThrow();
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.attempts()).isEqualTo(1);
    assertThat(dead.payload()).asString().isEqualTo("no number");
    assertThat(done).isEmpty();
  }

  @Test
  void handle_error_failsTheAttemptAndTheWorkerLivesOn() throws Exception {
    Worker.on(engine)
        .handle(
            MAIL,
            (mail, job) -> {
              if (mail.equals("huge")) {
                throw new OutOfMemoryError("Java heap space");
              }
              done.add(mail);
            })
        .listener(telling)
        .start();

    engine.enqueue(MAIL, "huge");
    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail RETRIED");
    engine.enqueue(MAIL, "Ada");

    assertThat(done.poll(10, SECONDS)).isEqualTo("Ada");
  }

  @Test
  void steps_next_areDone() throws Exception {
    Worker.on(engine)
        .steps(
            MAIL,
            (mail, job) ->
                switch (job.wake().getClass().getSimpleName()) {
                  case "First" -> Next.snooze(Duration.ofMillis(1));
                  case "Slept" -> Next.waitFor("go");
                  default -> Next.then(NUMBER, 7L);
                })
        .handle(NUMBER, (number, job) -> done.add("number " + number))
        .listener(telling)
        .start();

    JobId id = engine.enqueue(MAIL, "Ada").jobId();
    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail SNOOZED");
    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail WAITING");
    engine.signal(id, "go").isDone();

    assertThat(done.poll(10, SECONDS)).isEqualTo("number 7");
    assertThat(ends.poll(10, SECONDS)).isIn("mail COMPLETED", "number COMPLETED");
  }

  @Test
  void completeWith_effects_areOneCommitWithTheEnd() throws Exception {
    Table<String, Long> sent = engine.table("sent", Codec.TEXT, Codec.LONG);
    Worker.on(engine)
        .handle(
            MAIL,
            (mail, job) ->
                job.completeWith(
                    tx -> {
                      tx.put(sent, mail, job.token());
                      return tx.enqueue(NUMBER, 1L);
                    }))
        .listener(telling)
        .start();

    engine.enqueue(MAIL, "Ada");

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail COMPLETED");
    assertThat(sent.get("Ada")).isPresent();
  }

  @Test
  void timeout_handlerIsInterruptedAndFails() throws Exception {
    Worker.on(engine)
        .handle(
            MAIL,
            (mail, job) -> new CountDownLatch(1).await(),
            h -> h.timeout(Duration.ofMillis(20)))
        .listener(telling)
        .start();

    JobId id = engine.enqueue(MAIL, "Ada").jobId();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail RETRIED");
    assertThat(engine.get(id).orElseThrow().lastError().orElseThrow())
        .startsWith("timed out after PT0.02S: java.lang.InterruptedException");
  }

  @Test
  void lease_handlerTakesLongerThanIt_isKept() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Worker.on(engine)
        .handle(MAIL, (mail, job) -> go.await())
        .leaseDuration(Duration.ofMillis(150))
        .listener(telling)
        .start();
    JobId id = engine.enqueue(MAIL, "Ada").jobId();
    await(() -> engine.get(id).orElseThrow().state() == JobState.LEASED);

    assertThat(ends.poll(600, java.util.concurrent.TimeUnit.MILLISECONDS)).isNull();
    go.countDown();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("mail COMPLETED");
  }

  @Test
  void stop_runningJobs_areInterruptedAndHandedBackUncounted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(engine)
            .handle(
                MAIL,
                (mail, job) -> {
                  begun.countDown();
                  new CountDownLatch(1).await();
                })
            .start();
    JobId id = engine.enqueue(MAIL, "Ada").jobId();
    assertThat(begun.await(10, SECONDS)).isTrue();

    StopReport report = worker.stop(Duration.ofMillis(10));

    assertThat(report).isEqualTo(new StopReport(0, 1, 1));
    Job job = engine.get(id).orElseThrow();
    assertThat(job.state()).isEqualTo(JobState.READY);
    assertThat(job.attempts()).isZero();
    assertThat(worker.isStopped()).isTrue();
  }

  @Test
  void stop_handlerDoesNotEnd_isHandedBackAndItsLateEndChangesNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Worker worker =
        Worker.on(engine)
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
    JobId id = engine.enqueue(MAIL, "Ada").jobId();
    assertThat(begun.await(10, SECONDS)).isTrue();

    StopReport report = worker.stop(Duration.ZERO);
    go.countDown();

    assertThat(report).isEqualTo(new StopReport(0, 1, 1));
    assertThat(done.poll(10, SECONDS)).isEqualTo("late");
    assertThat(engine.get(id).orElseThrow().state()).isEqualTo(JobState.READY);
  }

  @Test
  void concurrency_ofATypeAndOfAll_isKept() throws Exception {
    AtomicInteger mails = new AtomicInteger();
    AtomicInteger mailsMost = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger now = new AtomicInteger();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Worker.on(engine)
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
      engine.enqueue(MAIL.queue("shared"), "Ada");
      engine.enqueue(NUMBER.queue("shared"), 1L, o -> o.weight(2));
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
    Worker.on(engine)
        .handle(MAIL, (mail, job) -> done.add(Thread.currentThread().getName()))
        .executor(executor)
        .start();

    engine.enqueue(MAIL, "Ada");

    assertThat(done.poll(10, SECONDS)).isEqualTo("users");
    executor.shutdown();
  }

  @Test
  void unknownType_isHandedBackForAMinute() throws Exception {
    Worker.on(engine).handle(MAIL, (mail, job) -> done.add(mail)).listener(telling).start();

    JobId id = engine.queue("mail").enqueue(new byte[0], o -> o.type("newer")).jobId();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("newer RELEASED");
    Job job = engine.get(id).orElseThrow();
    assertThat(job.state()).isEqualTo(JobState.DELAYED);
    assertThat(job.attempts()).isZero();
  }

  @Test
  void unknownType_jobWasToldASignal_isToldItOnceMore() throws Exception {
    JobId id = engine.queue("mail").enqueue(new byte[0], o -> o.type("newer")).jobId();
    engine
        .queue("mail")
        .claim("newer", Duration.ofMinutes(1))
        .orElseThrow()
        .waitFor("go")
        .orThrow();
    Worker worker =
        Worker.on(engine).handle(MAIL, (mail, job) -> done.add(mail)).listener(telling).start();

    engine.signal(id, "go").orThrow();

    assertThat(ends.poll(10, SECONDS)).isEqualTo("newer RELEASED");
    worker.close();
    assertThat(engine.reschedule(id, engine.now()).isDone()).isTrue();
    Lease next = engine.queue("mail").claim("newer", Duration.ofMinutes(1)).orElseThrow();
    assertThat(next.signalled("go")).isPresent();
    assertThat(next.attempt()).isEqualTo(1);
    next.complete().orThrow();
  }

  @Test
  void start_noHandlers_isRefused() {
    assertThatThrownBy(() -> Worker.on(engine).name("w").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker has no handlers: worker=w; name some");
  }

  @Test
  void engineClosed_workerStops() throws Exception {
    Worker worker = Worker.on(engine).handle(MAIL, (mail, job) -> done.add(mail)).start();

    engine.close();

    await(worker::isStopped);
  }
}

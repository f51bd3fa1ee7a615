package io.millrace.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.spring.JobHandler;
import io.millrace.spring.WorkerCustomizer;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.Middleware;
import io.millrace.worker.StopReport;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The worker of an application: when it starts, what it is like, and how it ends. */
public abstract class WorkerContractTest {

  private static final JobType<String> ECHO = JobType.of("echo", Codec.TEXT);

  /** Handles texts. */
  static class Echo {

    final Seen seen = new Seen();

    @JobHandler("echo")
    void echo(String text) {
      seen.add(text);
    }
  }

  /** Handles texts, slowly: until it is told to go on. */
  static class Slow {

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    final Seen ended = new Seen();

    @JobHandler("echo")
    void echo(String text) throws InterruptedException {
      begun.countDown();
      if (goOn.await(30, TimeUnit.SECONDS)) {
        ended.add(text);
      }
    }
  }

  @Test
  void worker_ofProperties_isLikeThem() {
    Contexts.with(Echo.class)
        .withPropertyValues("millrace.worker.name=w1", "millrace.worker.concurrency=3")
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              assertThat(worker.name()).isEqualTo("w1");
              assertThat(worker.concurrency()).isEqualTo(3);
              assertThat(worker.isStopped()).isFalse();
              assertThat(worker.running()).isEmpty();
              assertThat(((SmartLifecycle) worker).isRunning()).isTrue();
            });
  }

  @Test
  void worker_notEnabled_isNotThere() {
    Contexts.with(Echo.class)
        .withPropertyValues("millrace.worker.enabled=false")
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              queues.enqueue(ECHO, "hi");
              assertThat(context).doesNotHaveBean(Worker.class);
              assertThat(context.getBean(Echo.class).seen.isEmpty()).isTrue();
            });
  }

  @Test
  void worker_withConcurrencyOutOfRange_saysWhichProperty() {
    Contexts.with(Echo.class)
        .withPropertyValues("millrace.worker.concurrency=0")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("concurrency is out of range"));
  }

  @Test
  void worker_ofApplicationWithoutHandlers_startsAllTheSame() {
    Contexts.with()
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(((SmartLifecycle) context.getBean(Worker.class)).isRunning()).isTrue();
            });
  }

  @Test
  void worker_inItsPhase_startsLastAndStopsFirst() {
    Contexts.with(Echo.class)
        .run(
            context -> {
              SmartLifecycle worker = (SmartLifecycle) context.getBean(Worker.class);
              assertThat(worker.getPhase()).isEqualTo(Integer.MAX_VALUE);
              assertThat(context.getBeansOfType(SmartLifecycle.class).values())
                  .filteredOn(each -> each.getClass().getName().startsWith("io.millrace"))
                  .hasSizeGreaterThan(1)
                  .allMatch(each -> each == worker || each.getPhase() < worker.getPhase());
            });
  }

  @Test
  void context_closedWhileJobRuns_letsItEndWithinTheGrace() {
    Slow slow = new Slow();
    Ends ends = new Ends();

    Contexts.with()
        .withBean(Slow.class, () -> slow)
        .withBean(Ends.class, () -> ends)
        .run(
            context -> {
              context.getBean(JobQueues.class).enqueue(ECHO, "slow");
              assertThat(slow.begun.await(30, TimeUnit.SECONDS)).isTrue();
              Thread closing = new Thread(context.getSourceApplicationContext()::close);
              closing.start();
              awaitWaiting(closing);
              slow.goOn.countDown();
              closing.join();
            });

    assertThat(slow.ended.next()).isEqualTo("slow");
    assertThat(ends.seen.next()).isEqualTo(Outcome.COMPLETED);
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void context_closedWithGraceOfZero_handsJobsBack() {
    Slow slow = new Slow();
    Ends ends = new Ends();

    Contexts.with()
        .withBean(Slow.class, () -> slow)
        .withBean(Ends.class, () -> ends)
        .withPropertyValues("millrace.worker.stop-grace=0s")
        .run(
            context -> {
              context.getBean(JobQueues.class).enqueue(ECHO, "slow");
              assertThat(slow.begun.await(30, TimeUnit.SECONDS)).isTrue();
            });

    assertThat(ends.seen.next()).isEqualTo(Outcome.RELEASED);
    assertThat(slow.ended.isEmpty()).as("the handler was interrupted").isTrue();
  }

  /** Tells what becomes of jobs. */
  static class Ends implements WorkerListener {

    final Seen seen = new Seen();

    @Override
    public void ended(JobContext job, JobRunEnd end) {
      seen.add(end.outcome());
    }
  }

  @Test
  void context_stoppedAndStartedAgain_worksOn() {
    Contexts.with(Echo.class)
        .run(
            context -> {
              JobQueues queues = context.getBean(JobQueues.class);
              Echo echo = context.getBean(Echo.class);
              context.getSourceApplicationContext().stop();
              queues.enqueue(ECHO, "meanwhile");
              Worker worker = context.getBean(Worker.class);
              assertThatThrownBy(worker::pause).hasMessageContaining("worker does not run");
              assertThat(worker.isStopped()).isFalse();

              context.getSourceApplicationContext().start();

              assertThat(echo.seen.next()).isEqualTo("meanwhile");
            });
  }

  @Test
  void worker_pausedAndResumed_claimsAgain() {
    Contexts.with(Echo.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              worker.pause();
              assertThat(worker.isPaused()).isTrue();
              context.getBean(JobQueues.class).enqueue(ECHO, "hi");
              worker.resume();
              assertThat(context.getBean(Echo.class).seen.next()).isEqualTo("hi");
              worker.concurrency(1);
              assertThat(worker.concurrency()).isEqualTo(1);
            });
  }

  @Test
  void worker_stoppedByHand_isStoppedForGood() {
    Contexts.with(Echo.class)
        .run(
            context -> {
              Worker worker = context.getBean(Worker.class);
              StopReport report = worker.stop(Duration.ZERO);
              assertThat(report).isEqualTo(new StopReport(0, 0, 0));
              assertThat(worker.isStopped()).isTrue();
              assertThat(worker.stop(Duration.ZERO)).isEqualTo(new StopReport(0, 0, 0));
            });
  }

  @Test
  void customizersAndMiddlewares_ofBeans_areTheWorkers() {
    Seen around = new Seen();
    Seen byHand = new Seen();
    JobType<String> more = JobType.of("more", Codec.TEXT);

    Contexts.with()
        .withBean(
            Middleware.class,
            () ->
                (job, rest) -> {
                  around.add(job.type());
                  rest.proceed();
                })
        .withBean(
            WorkerCustomizer.class,
            () -> setup -> setup.handle(more, (text, job) -> byHand.add(text)))
        .run(
            context -> {
              context.getBean(JobQueues.class).enqueue(more, "by hand");
              assertThat(byHand.next()).isEqualTo("by hand");
              assertThat(around.next()).isEqualTo("more");
            });
  }

  @Test
  void handlers_withVirtualThreads_runOnThem() {
    boolean areThere = JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE);
    Contexts.with()
        .withBean(ThreadTelling.class)
        .withPropertyValues("spring.threads.virtual.enabled=true")
        .run(
            context -> {
              context.getBean(JobQueues.class).enqueue(ECHO, "hi");
              String thread = (String) context.getBean(ThreadTelling.class).seen.next();
              assertThat(thread.contains("VirtualThread")).isEqualTo(areThere);
            });
    Contexts.with()
        .withBean(ThreadTelling.class)
        .withPropertyValues("millrace.worker.virtual-threads=true")
        .run(
            context -> {
              if (areThere) {
                assertThat(context).hasNotFailed();
              } else {
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("millrace.worker.virtual-threads is set, and Java");
              }
            });
  }

  /** Tells the thread that it runs on. */
  static class ThreadTelling {

    final Seen seen = new Seen();

    @JobHandler("echo")
    void echo(String text) {
      seen.add(Thread.currentThread().toString());
    }
  }

  /** A worker that the application starts itself. */
  @Configuration(proxyBeanMethods = false)
  static class OwnWorker {

    @Bean
    Worker own(JobQueues queues) {
      return Worker.on(queues).name("own").schedules().start();
    }
  }

  @Test
  void worker_ofTheApplicationsOwn_isTheOnlyOne() {
    Contexts.with(OwnWorker.class)
        .run(
            context -> {
              assertThat(context.getBeanNamesForType(Worker.class)).containsExactly("own");
              assertThat(context.getBean(Worker.class).name()).isEqualTo("own");
            });
  }
}

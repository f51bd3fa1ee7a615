package io.millrace.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineOptions;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.QueueName;
import io.millrace.describe.OpenData;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.InProcess;
import io.millrace.spi.testkit.rig.Reach;
import io.millrace.worker.management.RunningJobStatus;
import io.millrace.worker.management.WorkerMBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tools see of a worker, and do to it. */
@Timeout(60)
class WorkerMBeanTest {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String NAME = "bean, \"test\"\n";
  private static final JobType<String> MAIL =
      JobType.of("mail", Codec.TEXT).queue("out").tenant("acme");

  private final JobEngine engine = JobEngine.open("memory:workers");
  private final JobQueues queues = Reach.to(engine, JobQueues.class);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() throws InterruptedException {
    release.countDown();
    queues.close();
    // A worker that ends by itself may still have the name that the next test's is to have.
    await(() -> names().isEmpty());
  }

  @Test
  void bean_ofAStartedWorker_isSeenUntilItHasStopped() throws Exception {
    Worker worker = setup().concurrency(3).start();

    WorkerMBean bean = bean(1);
    assertThat(names()).containsExactly(name(1));
    assertThat(bean.getName()).isEqualTo(NAME);
    assertThat(bean.getConcurrency()).isEqualTo(3);
    assertThat(bean.getBusy()).isZero();
    assertThat(bean.getRunningCount()).isZero();
    assertThat(bean.isPaused()).isFalse();
    assertThat(bean.isStopping()).isFalse();
    assertThat(bean.isStopped()).isFalse();

    worker.close();

    assertThat(names()).isEmpty();
  }

  @InProcess("tools that see a client do not see the engine of its server")
  @Test
  void engine_ofAWorker_isNamedIfToolsSeeIt() throws Exception {
    EngineOptions hidden = EngineOptions.DEFAULT.management(Management.OFF);
    try (Worker worker = setup().start();
        JobEngine other = JobEngine.open("memory:hidden", hidden);
        Worker ofOther = Worker.on(other).name(NAME).handle(MAIL, (mail, job) -> {}).start()) {
      assertThat(List.of(worker, ofOther)).extracting(Worker::isStopped).containsOnly(false);
      await(() -> names().size() == 2);

      List<@Nullable String> engines =
          List.of(bean(1), bean(2)).stream().map(WorkerMBean::getEngine).toList();

      assertThat(engines).containsExactlyInAnyOrder("memory:workers", null);
    }
  }

  @Test
  void beans_ofWorkersOfOneName_areAllSeen() throws Exception {
    try (Worker one = setup().start()) {
      bean(1);
      try (Worker two = setup().start()) {
        bean(2).pause();

        assertThat(two.isPaused()).isTrue();
        assertThat(one.isPaused()).isFalse();
        assertThat(names()).containsExactlyInAnyOrder(name(1), name(2));
      }
      assertThat(names()).containsExactly(name(1));
    }
  }

  @Test
  void bean_switchedOff_isNotThere() throws Exception {
    try (Worker worker = setup().management(Management.OFF).start();
        Worker seen = setup().start()) {
      assertThat(worker.name()).isEqualTo(seen.name());
      bean(1);

      assertThat(names()).containsExactly(name(1));
    }
  }

  @Test
  void bean_workerEndsWithItsEngine_isSeenNoMore() throws Exception {
    Worker worker = setup().start();
    bean(1);

    queues.close();
    await(worker::isStopped);

    await(() -> names().isEmpty());
  }

  @Tag("slow")
  @Test
  void pause_engineCloses_workerStopsAllTheSame() throws Exception {
    Worker worker = setup().start();
    bean(1).pause();

    queues.close();

    await(worker::isStopped);
    await(() -> names().isEmpty());
  }

  @Test
  void running_jobAtWork_isToldWithItsThreadAndWhatThatDoes() throws Exception {
    try (Worker worker = setup().start()) {
      JobId id = queues.enqueue(MAIL, "Ada").jobId();
      begun.poll(10, SECONDS);

      RunningJobStatus job = onlyOne(bean(1).running(5));

      RunningJob own = worker.running().get(0);
      assertThat(job.jobId()).isEqualTo(id);
      assertThat(job.queue()).isEqualTo(new QueueName("out", "acme"));
      assertThat(job.type()).isEqualTo("mail");
      assertThat(job.attempt()).isEqualTo(1);
      assertThat(job.since()).isEqualTo(own.since());
      assertThat(job.progress()).isEqualTo(0.5);
      assertThat(job.text()).isEqualTo("half of Ada");
      assertThat(job.thread()).isEqualTo(own.thread().getName());
      assertThat(job.stack()).hasSize(5);
      assertThat(onlyOne(bean(1).running(0)).stack()).isEmpty();
      String whole = String.join("\n", onlyOne(bean(1).running(256)).stack());
      assertThat(whole)
          .contains("CountDownLatch.await", "WorkerMBeanTest.waitForRelease", "JobRun.run");
      assertThat(own.stack().toString()).contains("WorkerMBeanTest.waitForRelease");
      assertThat(bean(1).getBusy()).isEqualTo(1);
      assertThat(bean(1).getRunningCount()).isEqualTo(1);
      release.countDown();
    }
  }

  @Test
  void running_toolWithoutOurClasses_readsIt() throws Exception {
    try (Worker worker = setup().start()) {
      queues.enqueue(MAIL, "Ada");
      begun.poll(10, SECONDS);
      bean(1);

      CompositeData[] jobs =
          (CompositeData[])
              SERVER.invoke(name(1), "running", new Object[] {3}, new String[] {"int"});

      assertThat(jobs[0].get("thread")).isEqualTo(worker.running().get(0).thread().getName());
      assertThat((String[]) jobs[0].get("stack")).hasSize(3);
      release.countDown();
    }
  }

  @Test
  void pauseAndResume_byTool_areDoneByTheWorker() throws Exception {
    try (Worker worker = setup().start()) {
      bean(1).pause();
      queues.enqueue(MAIL, "Ada");

      assertThat(worker.isPaused()).isTrue();
      assertThat(bean(1).isPaused()).isTrue();
      assertThat(begun.poll(200, TimeUnit.MILLISECONDS)).isNull();

      bean(1).resume();

      assertThat(begun.poll(10, SECONDS)).isEqualTo("Ada");
      assertThat(bean(1).isPaused()).isFalse();
      release.countDown();
    }
  }

  @Test
  void concurrency_byTool_letsMoreJobsRun() throws Exception {
    try (Worker worker = setup().concurrency(1).start()) {
      queues.enqueue(MAIL, "Ada");
      queues.enqueue(MAIL, "Ben");
      assertThat(begun.poll(10, SECONDS)).isEqualTo("Ada");
      assertThat(begun.poll(200, TimeUnit.MILLISECONDS)).isNull();

      bean(1).setConcurrency(2);

      assertThat(begun.poll(10, SECONDS)).isEqualTo("Ben");
      assertThat(worker.concurrency()).isEqualTo(2);
      release.countDown();
    }
  }

  @Test
  void cancel_runningJob_isInterruptedAndGone() throws Exception {
    try (Worker worker = setup().start()) {
      JobId id = queues.enqueue(MAIL, "Ada").jobId();
      begun.poll(10, SECONDS);

      assertThat(bean(1).isRunning(id.toString())).isTrue();
      String outcome = bean(1).cancel(id.toString());

      assertThat(outcome).isEqualTo("REQUESTED");
      assertThat(begun.poll(10, SECONDS)).isEqualTo("interrupted");
      await(() -> queues.get(id).isEmpty());
      assertThat(bean(1).cancel(id.toString())).isEqualTo("GONE");
      assertThat(bean(1).isRunning(id.toString())).isFalse();
      assertThat(worker.running()).isEmpty();
    }
  }

  @Test
  void stop_byTool_handsBackWhatDoesNotEndAndTellsHowItWent() throws Exception {
    Worker worker = setup().start();
    JobId id = queues.enqueue(MAIL, "Ada").jobId();
    begun.poll(10, SECONDS);

    StopReport report = OpenData.read(WorkerDescriptions.STOP_REPORT, bean(1).stop(0));

    assertThat(report.interrupted()).isEqualTo(1);
    assertThat(report.released()).isEqualTo(1);
    assertThat(report.finished()).isZero();
    assertThat(worker.isStopped()).isTrue();
    assertThat(queues.get(id).orElseThrow().state()).isEqualTo(JobState.READY);
    assertThat(queues.get(id).orElseThrow().attempts()).isZero();
    assertThat(names()).isEmpty();
  }

  @Test
  void stop_jobsStillRun_isStoppingUntilTheyHaveEnded() throws Exception {
    Worker worker = setup().start();
    queues.enqueue(MAIL, "Ada");
    begun.poll(10, SECONDS);
    WorkerMBean bean = bean(1);
    Thread stopping = new Thread(() -> worker.stop(Duration.ofMinutes(1)));
    stopping.start();

    await(bean::isStopping);
    assertThat(bean.isStopped()).isFalse();
    assertThat(bean.getRunningCount()).isEqualTo(1);
    release.countDown();
    stopping.join();

    assertThat(worker.isStopped()).isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void acts_ofWrongValues_areRefusedInTheJdksExceptions() throws Exception {
    try (Worker worker = setup().concurrency(2).start()) {
      WorkerMBean bean = bean(1);

      assertThatThrownBy(() -> bean.setConcurrency(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("concurrency is out of range: value=0, least=1");
      assertThatThrownBy(() -> bean.running(257))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("stackLength is out of range: value=257, least=0, most=256");
      assertThatThrownBy(() -> bean.stop(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("grace is out of range: value=PT-1S");
      assertThatThrownBy(() -> bean.cancel("12")).isInstanceOf(IllegalArgumentException.class);
      assertThat(worker.isStopped()).isFalse();
      assertThat(worker.concurrency()).isEqualTo(2);
    }
  }

  @Test
  void cancel_engineIsClosed_saysSoWithoutOurClasses() throws Exception {
    Worker worker = setup().start();
    JobId id = queues.enqueue(MAIL, "Ada").jobId();
    WorkerMBean bean = new WorkerBean((RunningWorker) worker); // in JMX it is not for long

    queues.close();

    assertThatThrownBy(() -> bean.cancel(id.toString()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("EngineClosedException: ");
  }

  private WorkerSetup setup() {
    return Worker.on(queues).name(NAME).handle(MAIL, this::waitForRelease);
  }

  private void waitForRelease(String mail, JobContext job) throws InterruptedException {
    job.progress(0.5, "half of " + mail);
    begun.add(mail);
    try {
      release.await();
    } catch (InterruptedException e) {
      begun.add("interrupted");
      throw e;
    }
  }

  private static RunningJobStatus onlyOne(CompositeData[] jobs) {
    assertThat(jobs).hasSize(1);
    return OpenData.read(WorkerDescriptions.RUNNING_JOB, jobs[0]);
  }

  private static ObjectName name(int instance) throws JMException {
    String plain = "io.millrace:type=Worker,name=" + ObjectName.quote(NAME);
    return new ObjectName(instance == 1 ? plain : plain + ",instance=" + instance);
  }

  private static WorkerMBean bean(int instance) throws Exception {
    ObjectName name = name(instance);
    await(() -> SERVER.isRegistered(name));
    return JMX.newMBeanProxy(SERVER, name, WorkerMBean.class);
  }

  private static Set<ObjectName> names() {
    try {
      return new TreeSet<>(SERVER.queryNames(new ObjectName("io.millrace:type=Worker,*"), null));
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      assertThat(never.await(5, TimeUnit.MILLISECONDS)).isFalse();
    }
  }
}

package io.millrace.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Codec;
import io.millrace.api.Job;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.JobType;
import io.millrace.api.Lease;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** An engine in memory, and what its workers say. The engine is closed when the test is over. */
abstract class WorkerRig {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  static final JobType<String> REPORT = JobType.of("report", Codec.TEXT);

  private static final long WAIT_SECONDS_MAX = 25;
  private static final long PAUSE_NS = 200_000;

  final JobEngine engine = JobEngine.open("memory:here");
  final JobQueues queues = Reach.to(engine, JobQueues.class);

  /** What handlers say of themselves. */
  final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  final Told told = new Told();
  private final List<CountDownLatch> latches = new ArrayList<>();

  @AfterEach
  void closeAll() {
    latches.forEach(CountDownLatch::countDown);
    queues.close();
  }

  /** A latch for handlers to wait for; it is opened at the end of the test at the latest. */
  CountDownLatch latch() {
    CountDownLatch latch = new CountDownLatch(1);
    latches.add(latch);
    return latch;
  }

  /** A handler that says that it has begun, and then waits for this. */
  static JobHandler<String> waiting(CountDownLatch begun, CountDownLatch go) {
    return (text, job) -> {
      begun.countDown();
      go.await();
    };
  }

  /** A worker at a mail, whose handler waits for this. */
  Worker busyWorker(CountDownLatch go) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker = Worker.on(queues).handle(MAIL, waiting(begun, go)).listener(told).start();
    queues.enqueue(MAIL, "m");
    begun.await();
    return worker;
  }

  static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("waited too long until " + what).isNegative();
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** The next that handlers say. */
  String heard() throws InterruptedException {
    String next = said.poll(WAIT_SECONDS_MAX, SECONDS);
    assertThat(next).as("nothing was said").isNotNull();
    return next;
  }

  Job job(JobId id) {
    return queues.get(id).orElseThrow();
  }

  void awaitState(JobId id, JobState state) {
    await(
        "job is " + state,
        () -> queues.get(id).map(Job::state).equals(java.util.Optional.of(state)));
  }

  /** The job when an attempt of it has failed: it is still there, dead or to be tried again. */
  Job deadOrRetried(JobId id) {
    await("it ended", () -> told.ended.containsKey(id));
    return job(id);
  }

  /** Waits on a latch whatever interrupts come; leaves no interrupt behind. */
  static void awaitDeaf(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      LockSupport.parkNanos(PAUSE_NS);
      Thread.interrupted();
    }
  }

  /** Nothing of a worker is left in the engine. */
  void assertNothingLeft() {
    await("no claim is parked", () -> engine.metrics().parkedClaimCount() == 0);
    await("no lease is left", () -> engine.metrics().leaseCount() == 0);
  }

  /** It has been told to stop: its claim waits no more. */
  void awaitStopBegun() {
    await("no claim is parked", () -> engine.metrics().parkedClaimCount() == 0);
  }

  static long threadCount(String namePart) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().contains(namePart))
        .count();
  }

  /** A listener that keeps what it is told. */
  static final class Told implements WorkerListener {
    final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    final Map<JobId, JobRunEnd> ended = new ConcurrentHashMap<>();
    final Queue<JobId> lost = new ConcurrentLinkedQueue<>();
    final Queue<JobId> unknown = new ConcurrentLinkedQueue<>();

    @Override
    public void ended(JobContext job, JobRunEnd end) {
      ended.put(job.jobId(), end);
      ends.add(job.type() + " " + end.outcome());
    }

    @Override
    public void lost(JobContext job) {
      lost.add(job.jobId());
    }

    @Override
    public void unknownType(Lease lease) {
      unknown.add(lease.jobId());
    }

    String next() throws InterruptedException {
      String end = ends.poll(WAIT_SECONDS_MAX, SECONDS);
      assertThat(end).as("no end was told").isNotNull();
      return end;
    }
  }
}

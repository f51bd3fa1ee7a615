package io.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Codec;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions;
import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.testkit.rig.Reach;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That nobody claims is told of queues that no worker serves, and not of those of a busy one. */
@Timeout(120)
class WorkerServingTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);
  private static final JobType<String> NEWS = JobType.of("news", Codec.TEXT);
  private static final JobType<String> NOBODYS = JobType.of("nobodys", Codec.TEXT);

  private final AtomicLong aheadMs = new AtomicLong();
  private final AtomicLong parks = new AtomicLong();
  private final CountDownLatch go = new CountDownLatch(1);
  private final JobEngine engine =
      JobEngine.open("memory:serving", EngineOptions.DEFAULT.clock(new MovedClock()));
  private final JobQueues queues = Reach.to(engine, JobQueues.class);

  /** The machine's, and so much later. */
  private final class MovedClock implements EngineClock {

    @Override
    public long epochMs() {
      return SYSTEM.epochMs() + aheadMs.get();
    }

    @Override
    public long monotonicNs() {
      return SYSTEM.monotonicNs() + Duration.ofMillis(aheadMs.get()).toNanos();
    }

    @Override
    public void parkNs(long durationNs) {
      parks.incrementAndGet();
      SYSTEM.parkNs(Math.min(durationNs, 1_000_000));
    }
  }

  @AfterEach
  void close() {
    go.countDown();
    queues.close();
  }

  /** Lets time pass in steps, after each of which the engine does what is due by then. */
  private void pass(Duration time) {
    for (long leftMs = time.toMillis(); leftMs > 0; leftMs -= 5_000) {
      aheadMs.addAndGet(5_000);
      long before = parks.get();
      WorkerRig.await("the engine has nothing to do", () -> parks.get() - before >= 2);
    }
  }

  private void awaitTold(String queues) {
    WorkerRig.await(
        "it is told of " + queues,
        () ->
            engine.health().warnings().stream()
                .anyMatch(it -> it.contains("nobody claims them: queues=" + queues)));
  }

  /** The only one why the job is not running. */
  private Explanation.Reason reason(JobId job) {
    List<Explanation.Reason> reasons = queues.explain(job).orElseThrow().reasons();
    assertThat(reasons).hasSize(1);
    return reasons.get(0);
  }

  private WorkerSetup busy(CountDownLatch begun) {
    return Worker.on(queues)
        .handle(MAIL, WorkerRig.waiting(begun, go))
        .handle(NEWS, (text, job) -> {})
        .leaseDuration(Duration.ofHours(1)) // its time passes faster than a lease is lengthened
        .concurrency(1);
  }

  @Test
  void worker_isBusyForLong_itsQueuesAreServedUntilItIsPaused() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker = busy(begun).start();
    queues.enqueue(MAIL, "long");
    begun.await();
    JobId news = queues.enqueue(NEWS, "waits").jobId();
    JobId nobodys = queues.enqueue(NOBODYS, "waits").jobId();

    pass(Duration.ofSeconds(80));
    awaitTold("[nobodys]");
    assertThat(reason(nobodys)).isInstanceOf(Explanation.NoClaims.class);
    assertThat(reason(news)).isInstanceOf(Explanation.WorkersBusy.class);
    assertThat(reason(news).sentence())
        .startsWith("the workers that serve its queue have no room for more");

    worker.pause();
    pass(Duration.ofSeconds(80));
    awaitTold("[nobodys, news]");
    assertThat(reason(news)).isInstanceOf(Explanation.NoClaims.class);
    worker.resume();
    pass(Duration.ofSeconds(15));
    awaitTold("[nobodys]");
    go.countDown();
    worker.close();
  }

  @Test
  void workerForAllTenants_isBusyForLong_servesThemUntilItStops() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker = busy(begun).allTenants().start();
    queues.enqueue(MAIL.tenant("acme"), "long");
    begun.await();
    queues.enqueue(MAIL.tenant("busy"), "waits");
    queues.enqueue(NOBODYS, "waits");

    pass(Duration.ofSeconds(80));
    awaitTold("[nobodys]");

    worker.stop(Duration.ZERO);
    pass(Duration.ofSeconds(80));
    awaitTold("[nobodys, mail@busy"); // the other job was handed back, a little later perhaps
  }

  @Test
  void schedules_areMadeByAnyWorker_unlessItIsToldNotTo() throws Exception {
    Worker without = Worker.on(queues).handle(MAIL, (text, job) -> {}).withoutSchedules().start();
    CountDownLatch made = new CountDownLatch(1);
    Schedules.of(queues)
        .put(Schedule.every("often", Duration.ofMinutes(10)).enqueue(NEWS, "now and then"));

    pass(Duration.ofMinutes(12));
    awaitTold("[millrace.schedules]");
    Worker worker = Worker.on(queues).handle(NEWS, (text, job) -> made.countDown()).start();

    made.await();
    WorkerRig.await("it is over", () -> engine.health().warnings().isEmpty());
    worker.close();
    without.close();
  }

  @Test
  void start_onAClosedEngine_isRefusedAndLeavesNothing() {
    WorkerSetup setup = busy(new CountDownLatch(1)).name("late");
    queues.close();

    assertThatThrownBy(setup::start)
        .isInstanceOf(EngineClosedException.class)
        .hasMessage(
            "worker cannot be started on a closed engine: worker=late; open the store again, and"
                + " start one on that engine");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains("late"));
  }
}

package io.millrace.worker;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.Codec;
import io.millrace.api.EngineHealth.Status;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.rig.Reach;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers whose engine closes, is poisoned, or finds its store full. */
@Tag("slow")
@Timeout(120)
class WorkerOutageTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final FaultyStore machine = new FaultyStore(7);
  private final WorkerRig.Told told = new WorkerRig.Told();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private final CountDownLatch end = new CountDownLatch(1);
  private JobEngine engine;
  private JobQueues queues;

  WorkerOutageTest() {
    open(Duration.ofMillis(20));
  }

  private void open(Duration... reopenAfter) {
    engine =
        JobEngine.open(
            machine,
            StoreOptions.of(Path.of("outage")),
            EngineOptions.DEFAULT.reopenAfter(List.of(reopenAfter)));
    queues = Reach.to(engine, JobQueues.class);
  }

  @AfterEach
  void close() {
    end.countDown();
    try {
      queues.close();
    } catch (MillraceException e) {
      // A store that failed says so once more.
      assertThat(e).isNotNull();
    }
  }

  private Worker worker() {
    return Worker.on(queues)
        .handle(MAIL, (text, job) -> done.add(text))
        .concurrency(4)
        .leaseDuration(ofSeconds(2))
        .listener(told)
        .start();
  }

  private void poison() {
    machine.failNext(StoreCall.WRITE, Fault.BEFORE);
    try {
      queues.enqueue(JobType.of("other", Codec.TEXT), "poison");
    } catch (MillraceException e) {
      assertThat(e).isNotNull();
    }
  }

  @Test
  void engineIsClosedUnderAWorkingWorker_handlersAreToldAndStopReturns() throws Exception {
    CountDownLatch begun = new CountDownLatch(3);
    CountDownLatch interrupted = new CountDownLatch(3);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  try {
                    end.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                  }
                })
            .concurrency(3)
            .leaseDuration(ofMillis(500))
            .listener(told)
            .start();
    for (int i = 0; i < 3; i++) {
      queues.enqueue(MAIL, "m");
    }
    assertThat(begun.await(40, SECONDS)).isTrue();

    queues.close();

    WorkerRig.await("it is stopped", worker::isStopped);
    assertThat(interrupted.await(40, SECONDS)).isTrue();
    assertThat(worker.stop(ofSeconds(60))).isEqualTo(new StopReport(0, 3, 0));
    WorkerRig.await("ends are told", () -> told.ended.size() == 3);
    assertThat(worker.running()).isEmpty();
  }

  @Test
  void engineIsPoisonedAndReopenedByItself_workerGoesOnAndNothingIsLost() throws Exception {
    Worker worker = worker();
    int count = 0;
    for (int round = 0; round < 3; round++) {
      int before = count;
      for (int i = 0; i < 20; i++, count++) {
        queues.enqueue(MAIL, "m" + count);
      }
      int sure = count;
      WorkerRig.await("these are done", () -> done.size() >= (before + sure) / 2);
      poison();
      WorkerRig.await("it is up again", () -> engine.health().status() == Status.UP);
    }
    int all = count;

    WorkerRig.await("all are done", () -> done.size() == all);
    WorkerRig.await(
        "none is left",
        () ->
            queues
                .queue("mail")
                .stats()
                .map(
                    s -> s.counts().isEmpty() || s.counts().values().stream().allMatch(n -> n == 0))
                .orElse(true));
    WorkerRig.await("it is idle", () -> worker.busy() == 0);
    assertThat(worker.isStopped()).isFalse();
  }

  @Test
  void engineIsPoisonedWhileHandlersRun_theirEndsAreCommittedOnceItIsReopened() throws Exception {
    queues.close();
    open();
    CountDownLatch begun = new CountDownLatch(4);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  runs.incrementAndGet();
                  begun.countDown();
                  go.await();
                })
            .concurrency(4)
            .leaseDuration(ofSeconds(20))
            .listener(told)
            .start();
    for (int i = 0; i < 4; i++) {
      queues.enqueue(MAIL, "m" + i);
    }
    assertThat(begun.await(40, SECONDS)).isTrue();
    poison();
    assertThat(engine.health().status()).isEqualTo(Status.POISONED);
    go.countDown();
    WorkerRig.await(
        "handlers have returned", () -> worker.running().isEmpty() || begun.getCount() == 0);

    engine.reopen();

    WorkerRig.await("all ends are told", () -> told.ended.size() == 4);
    assertThat(told.ended.values()).allMatch(one -> one.outcome() == JobRunEnd.Outcome.COMPLETED);
    assertThat(runs.get()).isEqualTo(4);
    WorkerRig.await("it is idle", () -> worker.busy() == 0);
  }

  @Test
  void stop_engineIsPoisonedForGood_returns() throws Exception {
    queues.close();
    open();
    CountDownLatch begun = new CountDownLatch(2);
    Worker worker =
        Worker.on(queues)
            .handle(
                MAIL,
                (text, job) -> {
                  begun.countDown();
                  end.await();
                })
            .concurrency(2)
            .leaseDuration(ofSeconds(1))
            .listener(told)
            .start();
    queues.enqueue(MAIL, "a");
    queues.enqueue(MAIL, "b");
    assertThat(begun.await(40, SECONDS)).isTrue();
    poison();

    long startNs = System.nanoTime();
    worker.stop(ZERO);

    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs)).isLessThan(40);
    assertThat(worker.isStopped()).isTrue();
  }

  @Test
  void storeIsFullForAWhile_workerGoesOn() throws Exception {
    Worker worker = worker();
    for (int i = 0; i < 50; i++) {
      queues.enqueue(MAIL, "m" + i);
      if (i == 10) {
        machine.room(FaultyStore.Room.FOR_RESERVE_USERS);
        try {
          queues.enqueue(MAIL, "refused");
        } catch (MillraceException e) {
          assertThat(engine.health().status()).isEqualTo(Status.FULL);
        }
        machine.room(FaultyStore.Room.FOR_ALL);
        WorkerRig.await("there is room", () -> engine.health().status() == Status.UP);
      }
    }

    WorkerRig.await("all are done", () -> done.size() >= 50);
    WorkerRig.await("it is idle", () -> worker.busy() == 0);
  }

  @Test
  void machineCrashesAndAnotherEngineOpens_everythingIsDone() throws Exception {
    Set<JobId> ids = Collections.newSetFromMap(new ConcurrentHashMap<>());
    for (int round = 0; round < 5; round++) {
      Worker worker = worker();
      for (int i = 0; i < 20; i++) {
        ids.add(queues.enqueue(MAIL, round + "." + i).jobId());
      }
      machine.crash();
      try {
        queues.close();
      } catch (MillraceException e) {
        assertThat(e).isNotNull();
      }
      worker.stop(ofSeconds(10));
      open(ofMillis(20));
    }
    worker();

    WorkerRig.await("all are done", () -> done.size() == 100);
    WorkerRig.await("all are gone", () -> ids.stream().allMatch(id -> queues.get(id).isEmpty()));
  }
}

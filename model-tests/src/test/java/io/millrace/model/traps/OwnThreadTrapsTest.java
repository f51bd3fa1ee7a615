package io.millrace.model.traps;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineListener;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.QueueStats.Total;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.testkit.rig.InProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.CallerRunsPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The engine's own threads: user code meets only one of them, and cannot stop the others. */
@InProcess("which threads of the engine complete futures")
class OwnThreadTrapsTest extends TrapTest {

  private static CompletableFuture<Enqueued> enqueueAsync(JobQueue queue) {
    return queue.enqueueAsync(new byte[0], EnqueueOptions.DEFAULT);
  }

  @Test
  void stage_blocksOnTheEnginesThread_isRefusedInOneSentence() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    CompletableFuture<?> held = mail.claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(9)));
    CompletableFuture<?> stage = held.thenRun(() -> mail.enqueue(new byte[0]));

    enqueue(mail, "a");

    assertThatThrownBy(() -> join(stage))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("call would wait on the engine's own thread");
    assertThat(mail.stats().orElseThrow().total(Total.ENQUEUED))
        .as("nothing happened")
        .isEqualTo(1);
  }

  @Test
  void lease_closedOnTheEnginesThread_jobIsFailed() {
    EngineHarness harness = start(StoreKind.MEMORY);
    JobQueue mail = mail(harness);
    CompletableFuture<Void> closed =
        mail.claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(9)))
            .thenAccept(leases -> leases.forEach(Lease::close));

    JobId id = enqueue(mail, "a");

    join(closed);
    awaitJob(harness, id, JobState.DELAYED, 1);
    assertThat(job(harness.queues(), id).lastError()).contains(Lease.CLOSED_ERROR);
  }

  @Test
  void executor_runsOnTheCallersThread_blockingStagesStopNothing() throws InterruptedException {
    ExecutorService executor =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), new CallerRunsPolicy());
    EngineHarness harness =
        start(StoreKind.MEMORY, clock -> Setup.DEFAULT.options(clock).futureExecutor(executor));
    JobQueue mail = mail(harness);
    Set<Thread> ranOn = Collections.synchronizedSet(new HashSet<>());
    List<CompletableFuture<?>> stages = new ArrayList<>();
    harness.store().holdNextWrite();
    for (int i = 0; i < 20; i++) {
      stages.add(
          enqueueAsync(mail)
              .thenRun(
                  () -> {
                    ranOn.add(Thread.currentThread());
                    mail.enqueue(new byte[0]);
                  }));
    }
    harness.store().awaitHeld();

    harness.store().letGo();

    for (CompletableFuture<?> stage : stages) {
      await("the stage ends", stage::isDone);
    }
    enqueue(mail, "the loop goes on");
    assertThat(ranOn).extracting(Thread::getName).doesNotContain("millrace-commit");
    executor.shutdown();
  }

  @Test
  void future_firstOfAll_isCompletedByAThreadThatLivesSinceTheEngineOpened() {
    EngineHarness harness = start(StoreKind.MEMORY);
    Set<Thread> alive = Thread.getAllStackTraces().keySet();
    CompletableFuture<?> parked =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(9)));
    CompletableFuture<Thread> completer = parked.thenApply(leases -> Thread.currentThread());

    enqueue(mail(harness), "a");

    assertThat(join(completer).getName()).isEqualTo("millrace-answer");
    assertThat(alive).contains(join(completer));
  }

  @Test
  void close_insideADependentStage_doesNotWaitForItself() {
    EngineHarness harness = start(StoreKind.MEMORY);
    CompletableFuture<?> parked =
        mail(harness).claimAsync(ClaimOptions.by("worker").waiting(ofSeconds(9)));
    CompletableFuture<Duration> closed =
        parked.thenApply(
            leases -> {
              long beganNs = System.nanoTime();
              harness.engine().close();
              return Duration.ofNanos(System.nanoTime() - beganNs);
            });

    enqueue(mail(harness), "a");

    assertThat(join(closed)).as("what a thread waits for its own end").isLessThan(ofSeconds(4));
  }

  @Test
  void listener_reopensOnTheEnginesThread_engineIsUpAgain() {
    AtomicReference<EngineHarness> opened = new AtomicReference<>();
    EngineListener healer =
        new EngineListener() {
          @Override
          public void poisoned(Throwable cause) {
            opened.get().engine().reopen();
          }
        };
    EngineHarness harness =
        start(StoreKind.FAULTY, clock -> Setup.DEFAULT.options(clock).listener(healer));
    opened.set(harness);
    harness.store().breakNextWrite(new AssertionError("thrown by the test"));

    assertThatThrownBy(() -> enqueue(mail(harness), "a")).hasMessageContaining("unknown");

    await("it is reopened", () -> harness.engine().poison().isEmpty());
    enqueue(mail(harness), "b");
  }
}

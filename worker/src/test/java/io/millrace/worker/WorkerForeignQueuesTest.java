package io.millrace.worker;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Backoff;
import io.millrace.api.CompleteResult;
import io.millrace.api.EngineClosedException;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobQueues;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers on queues that pass on to the engine what they are asked, and do one call otherwise. */
@Tag("slow")
@Timeout(90)
class WorkerForeignQueuesTest extends WorkerRig {

  /** What is done in place of a call. */
  interface Instead {
    Object call(Callable<Object> original) throws Exception;
  }

  private static <T> T but(T original, Class<T> type, String name, Instead instead) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              Callable<Object> call =
                  () -> {
                    try {
                      return method.invoke(original, args);
                    } catch (InvocationTargetException e) {
                      throw (Exception) e.getCause();
                    }
                  };
              return method.getName().equals(name) ? instead.call(call) : call.call();
            }));
  }

  private JobQueues engineBut(String name, Instead instead) {
    return but(queues, JobQueues.class, name, instead);
  }

  /** A future that depends on one that failed so: what is thrown is wrapped. */
  private static CompletableFuture<?> closed() {
    EngineClosedException thrown = new EngineClosedException("engine is closed");
    return CompletableFuture.failedFuture(thrown).thenApply(answer -> answer);
  }

  @Test
  void pause_storeHangs_leasesOfRunningJobsAreKept() throws Exception {
    CountDownLatch hangs = latch();
    CountDownLatch looked = new CountDownLatch(1);
    AtomicInteger extended = new AtomicInteger();
    JobQueues hanging =
        engineBut(
            "queue",
            queue ->
                but(
                    (JobQueue) queue.call(),
                    JobQueue.class,
                    "stats",
                    stats -> {
                      looked.countDown();
                      hangs.await();
                      return stats.call();
                    }));
    JobQueues counting =
        but(
            hanging,
            JobQueues.class,
            "extendAllAsync",
            extend -> {
              extended.incrementAndGet();
              return extend.call();
            });
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(counting)
            .handle(MAIL, waiting(begun, latch()))
            .leaseDuration(ofSeconds(2))
            .start();
    queues.enqueue(MAIL, "m");
    begun.await();

    worker.pause();
    looked.await();
    int before = extended.get();

    await("the lease is lengthened", () -> extended.get() > before);
    hangs.countDown();
    worker.stop(ZERO);
  }

  @Test
  void claim_failsOfAClosedEngineWrapped_workerStops() {
    Worker worker =
        Worker.on(engineBut("claimAsync", claim -> closed()))
            .handle(MAIL, (text, job) -> said.add(text))
            .start();

    await("it is stopped", worker::isStopped);
  }

  @Test
  void extend_failsOfAClosedEngineWrapped_workerStops() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Worker worker =
        Worker.on(engineBut("extendAllAsync", extend -> closed()))
            .handle(MAIL, waiting(begun, latch()))
            .leaseDuration(ofSeconds(1))
            .start();
    queues.enqueue(MAIL, "m");
    begun.await();

    await("it is stopped", worker::isStopped);
  }

  @Test
  void now_throwsWhenAJobBegins_attemptFailsAndTheWorkerGoesOn() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Worker.on(
            engineBut(
                "now",
                now -> {
                  if (isBroken.getAndSet(false)) {
                    throw new IllegalStateException("no clock");
                  }
                  return now.call();
                }))
        .handle(MAIL, (text, job) -> said.add(text))
        .withoutSchedules() // which asks for the time, too
        .concurrency(1)
        .listener(told)
        .start();

    JobId first = queues.enqueue(MAIL, "first", o -> o.backoff(Backoff.fixed(ofDays(1)))).jobId();
    assertThat(told.next()).isEqualTo("mail RETRIED");
    queues.enqueue(MAIL, "second");

    assertThat(job(first).lastError().orElseThrow())
        .startsWith("java.lang.IllegalStateException: no clock");
    assertThat(heard()).isEqualTo("second");
  }

  /** As if there were no memory when the end of a job is asked for. */
  @Test
  void end_wantsMemoryWhenItIsAskedFor_isComeBackToAndJobIsCompleted() throws Exception {
    AtomicInteger failures = new AtomicInteger(3);
    Worker worker =
        Worker.on(engineBut("claimAsync", claim -> unsound(claim.call(), failures)))
            .handle(MAIL, (text, job) -> said.add(text + job.attempt()))
            .concurrency(1)
            .leaseDuration(ofMinutes(1))
            .listener(told)
            .start();

    JobId id = queues.enqueue(MAIL, "m").jobId();

    assertThat(told.next()).isEqualTo("mail COMPLETED");
    assertThat(failures.get()).isNegative();
    assertThat(queues.get(id)).isEmpty();
    assertThat(said).containsExactly("m1");
    await("it is idle", () -> worker.busy() == 0);
  }

  /** The leases of a claim, whose completion has no memory so often. */
  private static CompletableFuture<List<Lease>> unsound(Object claim, AtomicInteger failures) {
    CompletableFuture<?> claimed = (CompletableFuture<?>) claim;
    return claimed.thenApply(
        leases ->
            ((List<?>) leases)
                .stream()
                    .map(
                        lease ->
                            but(
                                (Lease) lease,
                                Lease.class,
                                "completeAsync",
                                complete -> unsoundEnd(complete, failures)))
                    .toList());
  }

  private static Object unsoundEnd(Callable<Object> complete, AtomicInteger failures)
      throws Exception {
    int left = failures.decrementAndGet();
    if (left < 0) {
      return complete.call();
    }
    return new CompletableFuture<CompleteResult>() {
      @Override
      public <U> CompletableFuture<U> thenApply(Function<? super CompleteResult, ? extends U> map) {
        return new CompletableFuture<>() {
          @Override
          public CompletableFuture<U> whenComplete(BiConsumer<? super U, ? super Throwable> told) {
            throw new OutOfMemoryError("thrown by the test");
          }
        };
      }
    };
  }

  /** Queues that run their workers by themselves. */
  private interface Driving extends JobQueues, WorkerDriver {}

  @Test
  void drivenWorker_stoppedBetweenClaimAndHandler_handsTheJobBack() {
    List<BooleanSupplier> driven = new ArrayList<>();
    List<Worker> workers = new ArrayList<>();
    Driving driving =
        Driving.class.cast(
            Proxy.newProxyInstance(
                Driving.class.getClassLoader(),
                new Class<?>[] {Driving.class},
                (proxy, method, args) -> {
                  switch (method.getName()) {
                    case "drive":
                      return driven.add((BooleanSupplier) args[0]);
                    case "release":
                      return driven.remove(args[0]);
                    case "listener":
                      return told;
                    default:
                      Object answer = method.invoke(queues, args);
                      if (method.getName().equals("claim")) {
                        workers.get(0).stop(ofMinutes(1));
                      }
                      return answer;
                  }
                }));
    workers.add(Worker.on(driving).handle(MAIL, (text, job) -> said.add(text)).start());
    JobId id = queues.enqueue(MAIL, "m").jobId();

    assertThat(driven.get(0).getAsBoolean()).isFalse();

    assertThat(said).isEmpty();
    assertThat(job(id).state()).isEqualTo(JobState.READY);
    assertThat(job(id).attempts()).isZero();
    assertNothingLeft();
  }
}

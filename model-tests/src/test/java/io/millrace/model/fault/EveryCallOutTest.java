package io.millrace.model.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineHealth;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.ManualClock;
import io.millrace.model.rig.Setup;
import io.millrace.spi.OrderedStore;
import io.millrace.spi.ReadView;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.ForwardingStore;
import io.millrace.spi.testkit.fault.Trials;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever the commit loop calls outside itself throws, one call after the other: everybody is
 * answered, the engine can be closed, and what was acknowledged is there.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("thorough")
class EveryCallOutTest {

  private static final long ANSWER_SECONDS_MAX = 30;

  /** Less than any number of calls after which one throws. */
  private static final int LET_GO = Integer.MIN_VALUE / 2;

  private static final StoreOptions PLACE = StoreOptions.of(Path.of("simulated"));

  /** What a call throws. */
  enum Thrown {
    ERROR,
    EXCEPTION,
    OVERFLOW,
    ASSERTION,
    LINKAGE;

    Throwable make() {
      String message = "thrown by the test";
      return switch (this) {
        case ERROR -> new OutOfMemoryError(message);
        case EXCEPTION -> new IllegalStateException(message);
        case OVERFLOW -> new StackOverflowError(message);
        case ASSERTION -> new AssertionError((Object) message);
        case LINKAGE -> new NoClassDefFoundError(message);
      };
    }
  }

  /** For how many calls from there on. */
  enum Lasting {
    ONE_CALL(1),
    SEVERAL_CALLS(7),
    UNTIL_LET_GO(Integer.MAX_VALUE);

    private final int callCount;

    Lasting(int callCount) {
      this.callCount = callCount;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ERROR", "EXCEPTION"})
  void callOut_throws_everybodyIsAnsweredAndNothingAcknowledgedIsLost(Thrown thrown) {
    tryAll(thrown, Lasting.ONE_CALL, Trials.count("call.out.steps", 7, 1, 1));
  }

  @ParameterizedTest
  @EnumSource
  void callsOut_throwForAWhile_everybodyIsAnsweredAndTheEngineWorksAgain(Thrown thrown) {
    int step = Trials.count("calls.out.steps", 13, 5, 1);
    tryAll(thrown, Lasting.SEVERAL_CALLS, step);
    tryAll(thrown, Lasting.UNTIL_LET_GO, step);
  }

  private void tryAll(Thrown thrown, Lasting lasting, int step) {
    int calls = 0;
    int trials = 0;
    boolean wasMet = true;
    while (wasMet) {
      wasMet = new Trial(calls, thrown, lasting).run();
      calls += step;
      trials++;
    }
    assertThat(trials).as("calls that were made to throw").isGreaterThan(3);
    Trials.report(
        getClass(), "%s at %d of %d calls out, %s".formatted(thrown, trials, calls, lasting));
  }

  /** One engine of which one call out throws. */
  private static final class Trial {

    private final int number;
    private final Thrown thrown;
    private final Lasting lasting;
    private final AtomicInteger left;
    private final FaultyStore machine = new FaultyStore(1);
    private final ManualClock clock = ManualClock.start();
    private final List<CompletableFuture<?>> answers = new ArrayList<>();
    private final List<CompletableFuture<Enqueued>> enqueued = new ArrayList<>();

    /** Of jobs that are waited for; told at the latest when the engine is closed. */
    private final List<CompletableFuture<?>> ends = new ArrayList<>();

    private volatile String met = "";

    Trial(int number, Thrown thrown, Lasting lasting) {
      this.number = number;
      this.thrown = thrown;
      this.lasting = lasting;
      this.left = new AtomicInteger(number);
    }

    /** Answers whether a call was made to throw. */
    boolean run() {
      Optional<JobEngine> opened = open();
      opened.ifPresent(
          engine -> {
            work(engine);
            answers.forEach(this::awaitAnswer);
            left.set(LET_GO);
            if (lasting != Lasting.ONE_CALL) {
              awaitWork(engine);
            }
            close(engine);
            assertThat(ends).as("%s: waits that nobody ended", this).allMatch(end -> end.isDone());
          });
      left.set(LET_GO);
      try (JobEngine engine = JobEngine.open(machine, PLACE, EngineOptions.DEFAULT)) {
        assertThat(engine.verify().problems()).as(toString()).isEmpty();
        for (CompletableFuture<Enqueued> one : enqueued) {
          if (!one.isCompletedExceptionally()) {
            JobId id = one.join().jobId();
            assertThat(engine.get(id)).as("%s: %s", this, id).isPresent();
          }
        }
      }
      return !met.isEmpty();
    }

    private Optional<JobEngine> open() {
      EngineOptions options =
          Setup.DEFAULT
              .options(failing(EngineClock.class, clock))
              .reopenAfter(lasting == Lasting.ONE_CALL ? List.of() : List.of(ofSeconds(1)))
              .management(EngineOptions.Management.OFF)
              .listener(new EngineListener() {});
      StoreFactory factory =
          ForwardingStore.factory(machine, store -> failing(OrderedStore.class, store));
      try {
        return Optional.of(JobEngine.open(factory, PLACE, options));
      } catch (Throwable e) {
        assertThat(met).as("%s: opening failed: %s", this, e).isNotEmpty();
        // Closing it may have been made to fail, too.
        machine.crash();
        return Optional.empty();
      }
    }

    private void work(JobEngine engine) {
      JobQueue kept = engine.queue("kept");
      JobQueue worked = engine.queue("worked");
      ask(() -> worked.claimAsync(ClaimOptions.by("parked").waiting(ofSeconds(60))));
      for (int i = 0; i < 3; i++) {
        call(() -> Dropped.result(worked.claim(ClaimOptions.by("sleeper").waiting(ofSeconds(60)))));
        enqueue(kept, EnqueueOptions.DEFAULT);
        enqueue(kept, EnqueueOptions.DEFAULT.delay(ofSeconds(i)));
        call(() -> worked.enqueueAll(Collections.nCopies(5, NewJob.of(new byte[3_000]))));
        ends.add(
            ask(() -> worked.submitAsync(new byte[1], EnqueueOptions.DEFAULT))
                .thenCompose(submitted -> submitted.end()));
        call(() -> worked.configure(settings -> settings.deadRetention(ofSeconds(1))));
        CompletableFuture<List<Lease>> claim =
            ask(() -> worked.claimAsync(ClaimOptions.by("it").max(3)));
        List<Lease> leases = leases(claim);
        leases.forEach(lease -> ends.add(engine.await(lease.jobId())));
        finish(leases);
        clock.advanceMs(31_000);
      }
      ask(() -> engine.queue("nowhere").claimAsync(ClaimOptions.by("late").waiting(ofSeconds(1))));
      clock.advanceMs(5_000);
    }

    private void finish(List<Lease> leases) {
      if (leases.size() == 3) {
        ask(leases.get(0)::completeAsync);
        ask(() -> leases.get(1).failAsync("broken", FailOptions.RETRY));
      }
    }

    private List<Lease> leases(CompletableFuture<List<Lease>> claim) {
      awaitAnswer(claim);
      return claim.isCompletedExceptionally() ? List.of() : claim.join();
    }

    private void enqueue(JobQueue queue, EnqueueOptions options) {
      enqueued.add(ask(() -> queue.enqueueAsync("kept".getBytes(UTF_8), options)));
    }

    private <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> call) {
      CompletableFuture<T> answer;
      try {
        answer = call.get();
      } catch (RuntimeException | Error e) {
        answer = CompletableFuture.failedFuture(e);
      }
      answers.add(answer);
      return answer;
    }

    /** A blocking call, on a thread of its own. */
    private void call(Runnable call) {
      CompletableFuture<Void> answer = new CompletableFuture<>();
      answers.add(answer);
      Thread caller =
          new Thread(
              () -> {
                try {
                  call.run();
                  answer.complete(null);
                } catch (Throwable e) {
                  answer.completeExceptionally(e);
                }
              });
      caller.setDaemon(true);
      caller.start();
    }

    /**
     * It opens its store again by itself, unless it has used up its attempts, and then works. A
     * call that was made to throw before they were let go may be on its way still.
     */
    private void awaitWork(JobEngine engine) {
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS_MAX);
      while (!works(engine)) {
        assertThat(System.nanoTime() - endNs).as("%s: %s", this, engine.health()).isNegative();
        clock.advanceMs(1_000);
        Load.pause(1);
        if (engine.health().warnings().stream().anyMatch(it -> it.contains("call reopen"))) {
          engine.reopen();
        }
      }
    }

    private boolean works(JobEngine engine) {
      if (engine.health().status() != EngineHealth.Status.UP) {
        return false;
      }
      CompletableFuture<?> one =
          engine.queue("kept").enqueueAsync(new byte[1], EnqueueOptions.DEFAULT);
      awaitAnswer(one);
      return !one.isCompletedExceptionally();
    }

    /** Claims that wait run out as the clock goes on. */
    private void awaitAnswer(CompletableFuture<?> answer) {
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS_MAX);
      while (!answer.isDone()) {
        assertThat(System.nanoTime() - endNs).as("%s: nobody answers", this).isNegative();
        clock.advanceMs(1_000);
        Load.pause(1);
      }
    }

    private void close(JobEngine engine) {
      CompletableFuture<Void> closed = CompletableFuture.runAsync(engine::close);
      try {
        closed.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertThat(met).as("%s: closing failed: %s", this, e).isNotEmpty();
      } catch (TimeoutException | InterruptedException e) {
        throw new AssertionError(this + ": closing does not end", e);
      }
      if (engine.poison().isPresent() || met.endsWith(".close")) {
        machine.crash();
      }
    }

    @Override
    public String toString() {
      return "call " + number + " throws, " + met;
    }

    /** An object of which the calls of the loop's thread are counted. */
    private <T> T failing(Class<T> type, T inner) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                pass(type.getSimpleName() + "." + method.getName());
                try {
                  Object result = method.invoke(inner, arguments);
                  return result instanceof ReadView view ? failing(ReadView.class, view) : result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }

    private void pass(String call) throws Throwable {
      boolean isLoop = Thread.currentThread().getName().equals("millrace-commit");
      int before = isLoop ? left.getAndDecrement() : 1;
      if (before <= 0 && before > LET_GO && before > -lasting.callCount) {
        met = call;
        throw thrown.make();
      }
    }
  }
}

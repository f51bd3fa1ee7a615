package io.millrace.model.fault;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ClaimOptions;
import io.millrace.api.Completion;
import io.millrace.api.EngineListener;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.FailOptions;
import io.millrace.api.JobId;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.NewJob;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.RetentionListener;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.engine.Stores;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFullException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.millrace.spi.testkit.fault.Trials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * User code that the library calls and that throws what nobody expects: the engine goes on, and
 * everybody else is told.
 */
@Timeout(60)
@Tag("slow")
class UserErrorTest {

  private static final int DEEP_CALLS = 400;
  private static final int DEEP_STACK_BYTES = 256 << 10;

  @TempDir Path folder;

  /** What user code throws. */
  enum Thrown {
    OUT_OF_MEMORY,
    STACK_OVERFLOW,
    ASSERTION,
    LINKAGE,
    CHECKED;

    void thrown() {
      switch (this) {
        case OUT_OF_MEMORY -> throw new OutOfMemoryError("thrown by the test");
        case STACK_OVERFLOW -> overflow(0);
        case ASSERTION -> throw new AssertionError("thrown by the test");
        case LINKAGE -> throw new NoClassDefFoundError("thrown by the test");
        case CHECKED -> Thrown.<RuntimeException>throwAny(new IOException("thrown by the test"));
      }
    }

    private static int overflow(int depth) {
      return depth < 0 ? depth : overflow(depth + 1) + 1;
    }

    /** Other languages than Java throw checked exceptions where nobody declares them. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable any) throws T {
      throw (T) any;
    }
  }

  @ParameterizedTest
  @EnumSource
  void listener_throws_othersAreToldEverythingAndTheEngineGoesOn(Thrown thrown) {
    Events events = new Events();
    EngineListener broken = new BrokenListener(thrown);
    try (EngineHarness harness = harness(options -> options.listener(broken).listener(events))) {
      JobQueue queue = harness.engine().queue("mail");

      harness.machine().room(FaultyStore.Room.FOR_RESERVE_USERS);
      assertThatThrownBy(() -> queue.enqueue(new byte[1])).isInstanceOf(StoreFullException.class);
      harness.machine().room(FaultyStore.Room.FOR_ALL);
      harness.clock().advanceMs(1_000);
      Await.until("there is room again", () -> !harness.engine().isFull());
      // All is synced now, so that the next sync is that of the next call.
      queue.enqueue(new byte[1]);
      harness.machine().failNext(StoreCall.SYNC, Fault.BEFORE);
      assertThatThrownBy(() -> queue.enqueue(new byte[1]))
          .isInstanceOf(OutcomeUnknownException.class);
      harness.engine().reopen();

      List<String> expected = List.of("full", "room again", "poisoned", "reopened");
      Await.until("all is told", () -> events.said().equals(expected));
      assertThat(queue.enqueue(new byte[1]).jobId()).isNotNull();
    }
  }

  /** Throws whatever it is told. */
  private record BrokenListener(Thrown thrown) implements EngineListener {

    @Override
    public void poisoned(Throwable cause) {
      thrown.thrown();
    }

    @Override
    public void reopened() {
      thrown.thrown();
    }

    @Override
    public void full(Throwable cause) {
      thrown.thrown();
    }

    @Override
    public void roomAgain() {
      thrown.thrown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void dependentStage_throws_itAloneFailsWhateverTheCall(Thrown thrown) {
    for (Executor executor : List.<Executor>of(Runnable::run, task -> new Thread(task).start())) {
      assertStagesFailAlone(thrown, options -> options.futureExecutor(executor));
    }
    assertStagesFailAlone(thrown, options -> options);
  }

  private void assertStagesFailAlone(Thrown thrown, Function<EngineOptions, EngineOptions> change) {
    try (EngineHarness harness = harness(change)) {
      JobQueue queue = harness.engine().queue("mail");
      queue.enqueueAll(Collections.nCopies(20, NewJob.of(new byte[1])));
      List<CompletableFuture<?>> answers = new ArrayList<>();
      List<CompletableFuture<?>> stages = new ArrayList<>();
      for (CompletableFuture<?> answer : calls(harness.engine(), queue)) {
        answers.add(answer);
        stages.add(answer.thenRun(thrown::thrown));
      }

      assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isNotNull());
      for (CompletableFuture<?> stage : stages) {
        Await.until("the stage ends", stage::isDone);
        assertThat(stage).isCompletedExceptionally();
      }
      harness.storeLeases();
      assertThat(queue.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(3);
      assertThat(harness.engine().verify().problems()).isEmpty();
    }
  }

  /** Every call there is that answers by a future; three leases are left. */
  private static List<CompletableFuture<?>> calls(JobEngine engine, JobQueue queue) {
    byte[] bytes = new byte[1];
    List<Lease> leases = queue.claim(ClaimOptions.by("worker").max(10));
    return List.of(
        queue.enqueueAsync(bytes, EnqueueOptions.DEFAULT),
        queue.enqueueAllAsync(List.of(NewJob.of(bytes))),
        queue.claimAsync(ClaimOptions.by("worker")),
        leases.get(0).extendAsync(ofMinutes(1)),
        leases.get(0).completeAsync(),
        leases.get(1).completeAsync(bytes),
        leases.get(2).failAsync("broken", FailOptions.RETRY),
        leases.get(3).releaseAsync(),
        engine.extendAllAsync(leases.subList(4, 10), ofMinutes(1)),
        engine.completeAllAsync(leases.subList(4, 5)),
        engine.completeAllWithResultsAsync(List.of(new Completion(leases.get(5), bytes))),
        engine.failAllAsync(leases.subList(6, 7), "broken", FailOptions.PERMANENT),
        engine.releaseAllAsync(leases.subList(7, 8)));
  }

  @ParameterizedTest
  @EnumSource
  void executor_throws_answersAreGivenOnTheEnginesThread(Thrown thrown) {
    Executor broken = task -> thrown.thrown();
    try (EngineHarness harness = harness(options -> options.futureExecutor(broken))) {
      JobQueue queue = harness.engine().queue("mail");

      for (int i = 0; i < 10; i++) {
        assertThat(queue.enqueueAsync(new byte[1], EnqueueOptions.DEFAULT).join()).isNotNull();
      }

      assertThat(queue.claim(ClaimOptions.by("worker").max(20))).hasSize(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void retentionListener_throws_jobStaysAndIsOfferedAgain(Thrown thrown) {
    AtomicInteger offers = new AtomicInteger();
    RetentionListener broken =
        job -> {
          if (offers.incrementAndGet() == 1) {
            thrown.thrown();
          }
        };
    try (EngineHarness harness = harness(options -> options.retentionListener(broken))) {
      JobQueue queue = harness.engine().queue("mail");
      queue.configure(settings -> settings.deadRetention(ofSeconds(10)));
      JobId id = queue.enqueue(new byte[1], EnqueueOptions.DEFAULT.maxAttempts(1)).jobId();
      queue.claim(ClaimOptions.by("worker")).get(0).fail("broken").orThrow();

      harness.clock().advanceMs(10_001);
      harness.poke();
      Await.until("it was offered", () -> offers.get() == 1);
      assertThat(harness.engine().get(id)).isPresent();

      Await.until(
          "it is offered again, and goes",
          () -> {
            harness.clock().advanceMs(60_001);
            harness.poke();
            return harness.engine().get(id).isEmpty();
          });
      assertThat(offers.get()).isGreaterThan(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void findingsOfARepair_areTakenByWhatThrows_bothStoresAreLetGo(Thrown thrown) {
    FaultyStore machine = new FaultyStore(1);
    StorePlace from = new StorePlace(machine, StoreOptions.of(folder.resolve("from")));
    StorePlace to = new StorePlace(machine, StoreOptions.of(folder.resolve("to")));
    try (JobEngine engine = open(from)) {
      engine.queue("mail").enqueue(new byte[1]);
    }
    machine.overwrite(folder.resolve("from"), new byte[] {0x7E, 1}, new byte[] {1});

    assertThatThrownBy(() -> Stores.repair(from, to, finding -> thrown.thrown()))
        .isInstanceOfAny(Error.class, IOException.class);

    List<String> findings = new CopyOnWriteArrayList<>();
    StorePlace again = new StorePlace(machine, StoreOptions.of(folder.resolve("again")));
    Stores.repair(from, again, finding -> findings.add(finding.toString()));
    assertThat(findings).isNotEmpty();
    try (JobEngine engine = open(again)) {
      assertThat(engine.queue("mail").claim("worker", ofSeconds(30))).isPresent();
    }
  }

  private static JobEngine open(StorePlace place) {
    return JobEngine.open(place.factory(), place.options(), EngineOptions.DEFAULT);
  }

  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  @Test
  void caller_stackRunsOutAnywhereInACall_noLeaseIsLeftAndTheEngineGoesOn()
      throws InterruptedException {
    int descents = Trials.count("deep.stacks", 10, 50, 1_000);
    try (EngineHarness harness = harness(options -> options)) {
      JobQueue queue = harness.engine().queue("mail");
      // The first call of all loads classes, for which no caller can provide.
      queue.enqueue(new byte[1]);
      int returned = queue.claim(ClaimOptions.by("first")).size();
      int overflows = 0;

      for (int i = 0; i < descents; i++) {
        queue.enqueueAll(Collections.nCopies(DEEP_CALLS, NewJob.of(new byte[1])));
        Descent descent = new Descent(queue);
        Thread thread = new Thread(null, descent, "deep", DEEP_STACK_BYTES);
        thread.start();
        thread.join();
        returned += descent.returned;
        overflows += descent.calls - descent.returned;
      }

      harness.poke();
      harness.storeLeases();
      assertThat(overflows).isPositive();
      assertThat(queue.stats().orElseThrow().count(JobState.LEASED)).isEqualTo(returned);
      assertThat(harness.engine().verify().problems()).isEmpty();
      Trials.report(
          getClass(),
          "stack ran out in %d of %d claims, no lease was left behind"
              .formatted(overflows, overflows + returned));
    }
  }

  /**
   * Descends until the stack runs out, and claims on the way back with ever more of it. What it
   * counts it counts without a call, for which there might be no stack.
   */
  private static final class Descent implements Runnable {
    private final JobQueue queue;
    private final ClaimOptions claim = ClaimOptions.by("deep");
    private int calls;
    private int returned;

    Descent(JobQueue queue) {
      this.queue = queue;
    }

    @Override
    public void run() {
      descend();
    }

    private void descend() {
      try {
        if (calls < DEEP_CALLS) {
          descend();
        }
      } catch (StackOverflowError e) {
        if (calls == DEEP_CALLS) {
          return;
        }
      }
      if (calls == DEEP_CALLS) {
        return;
      }
      calls++;
      Dropped.result(queue.claim(claim));
      returned++;
    }
  }

  private EngineHarness harness(Function<EngineOptions, EngineOptions> change) {
    return new EngineHarness(
        StoreKind.FAULTY,
        folder.resolve("store-" + System.nanoTime()),
        clock -> change.apply(Setup.DEFAULT.options(clock)));
  }
}

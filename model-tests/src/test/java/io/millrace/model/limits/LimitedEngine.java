package io.millrace.model.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Durability;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.Enqueued;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobQueue;
import io.millrace.api.JobState;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.engine.JobEngine;
import io.millrace.engine.StorePlace;
import io.millrace.model.rig.Await;
import io.millrace.model.rig.Dropped;
import io.millrace.model.rig.EngineHarness;
import io.millrace.model.rig.Setup;
import io.millrace.model.rig.StoreKind;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** An engine with much in its store, on a clock that the test moves. For one test thread. */
final class LimitedEngine implements AutoCloseable {

  /** How long all that is delayed here waits. */
  static final Duration DELAY = Duration.ofMinutes(10);

  static final String LONGEST_ERROR = "e".repeat(Limits.ERROR_BYTES_MAX);

  private static final int WINDOW_BYTES = 64 << 20;

  private final StoreFactory factory;
  private final Path folder;
  private final EngineHarness harness;
  private final List<CompletableFuture<?>> asked = new ArrayList<>();

  LimitedEngine(StoreKind kind, Path folder) {
    this(kind.newFactory(), folder);
  }

  LimitedEngine(StoreFactory factory, Path folder) {
    this(factory, folder, options -> options);
  }

  LimitedEngine(StoreFactory factory, Path folder, UnaryOperator<EngineOptions> change) {
    this.factory = factory;
    this.folder = folder;
    Setup setup = Setup.DEFAULT.withDurability(Durability.BUFFERED);
    this.harness =
        new EngineHarness(
            factory,
            folder,
            clock -> change.apply(setup.options(clock).windowBytesMax(WINDOW_BYTES)));
  }

  EngineHarness harness() {
    return harness;
  }

  JobEngine engine() {
    return harness.engine();
  }

  JobQueue queue(int number) {
    return engine().queue("queue " + number);
  }

  /** Jobs that have failed with the longest text there is, and are to be tried again later. */
  void addRetries(int queue, int count) {
    addReady(queue, count);
    List<FailResult> results =
        engine().failAll(claim(queue, count), LONGEST_ERROR, FailOptions.RETRY.delay(DELAY));
    assertThat(results).hasSize(count).allMatch(FailResult.Retried.class::isInstance);
  }

  void addReady(int queue, int count) {
    add(queue, count, EnqueueOptions.DEFAULT);
  }

  void add(int queue, int count, EnqueueOptions options) {
    List<Enqueued> results =
        queue(queue).enqueueAll(Collections.nCopies(count, new NewJob(new byte[1], options)));
    assertThat(results).hasSize(count);
  }

  List<Lease> claim(int queue, int count) {
    List<Lease> leases = queue(queue).claim(longClaim().max(count));
    assertThat(leases).hasSize(count);
    return leases;
  }

  static ClaimOptions longClaim() {
    return ClaimOptions.by("worker").leaseDuration(Duration.ofDays(1));
  }

  /** The process dies; what is delayed comes due until it is started again. */
  void dieUntilAllIsDue() {
    harness.store().cut();
    try {
      engine().close();
    } catch (MillraceException expected) {
      // It could not say goodbye to its store, which is what a crash is.
    }
    harness.clock().advanceMs(DELAY.toMillis() + 1);
  }

  /** Stops cleanly; what is delayed comes due until it is started again. */
  void restartWhenAllIsDue() {
    engine().close();
    harness.clock().advanceMs(DELAY.toMillis() + 1);
    harness.openAgain();
  }

  /** Where the store is, for the time when no engine has it open. */
  StorePlace place() {
    return new StorePlace(factory, StoreOptions.of(folder));
  }

  /** Lets calls be made while the engine is held in a write, so that they share a group. */
  void together(Runnable calls, int count) throws InterruptedException {
    harness.store().holdNextWrite();
    Dropped.result(engine().queue("other").enqueueAsync(new byte[1], EnqueueOptions.DEFAULT));
    harness.store().awaitHeld();
    calls.run();
    Await.until("all calls wait", () -> engine().metrics().ringDepth() >= count);
    harness.store().letGo();
  }

  /** Makes a blocking call on a thread of its own. */
  <T> CompletableFuture<T> begin(Supplier<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    asked.add(answer);
    Thread caller =
        new Thread(
            () -> {
              try {
                answer.complete(call.get());
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    caller.setDaemon(true);
    caller.start();
    return answer;
  }

  long count(int queue, JobState state) {
    return queue(queue).stats().orElseThrow().count(state);
  }

  /** All that is due is made ready, and nothing else has happened. */
  void awaitReady(int queue, long count) {
    Await.until(
        "jobs of queue " + queue + " are ready",
        () -> {
          assertUnharmed();
          return count(queue, JobState.READY) == count;
        });
    assertThat(count(queue, JobState.DELAYED)).isZero();
  }

  void assertUnharmed() {
    assertThat(engine().poison()).isEmpty();
  }

  void assertClean() {
    assertUnharmed();
    assertThat(engine().verify().problems()).isEmpty();
    assertThat(engine().verify().isClean()).isTrue();
  }

  @Override
  public void close() {
    harness.close();
  }
}

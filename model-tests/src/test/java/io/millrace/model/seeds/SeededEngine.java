package io.millrace.model.seeds;

import io.millrace.MillraceException;
import io.millrace.api.EngineOptions;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An engine on a simulated machine that does nothing but in its turn. For one driver, the thread
 * that makes it.
 *
 * <p>Requests are made while the loop rests ({@link #ask}), and {@link #letWork} gives it all of
 * them at once, in the order in which they were made; when that returns the loop rests again.
 */
public final class SeededEngine {

  private static final Path FOLDER = Path.of("simulated");
  private static final int TURN_COUNT_MAX = 1_000;

  private final TracedFactory store;
  private final TurnClock clock;
  private final List<Caller> callers;
  private final EngineOptions options;
  private int processCount;
  private Optional<JobEngine> engine = Optional.empty();

  /**
   * An engine that is not open yet.
   *
   * @param callers who makes blocking calls; as many can be made at once
   * @param options is given those that the taking of turns needs
   */
  public SeededEngine(
      FaultyStore machine,
      Trace trace,
      List<Caller> callers,
      UnaryOperator<EngineOptions> options) {
    this.clock = new TurnClock();
    this.store = new TracedFactory(machine, clock, trace);
    this.callers = List.copyOf(callers);
    this.options =
        options.apply(
            EngineOptions.DEFAULT
                .reopenAfter(List.of())
                .clock(clock)
                .management(EngineOptions.Management.OFF)
                .forTests(tests -> tests.randomSeed(7)));
  }

  public TurnClock clock() {
    return clock;
  }

  public TracedFactory store() {
    return store;
  }

  public JobEngine engine() {
    return engine.orElseThrow();
  }

  /** Opens the store as a new process would. */
  public void open() {
    clock.forgetLoop();
    Instant processStart = Instant.ofEpochMilli(++processCount);
    engine =
        Optional.of(
            JobEngine.open(
                store,
                StoreOptions.of(FOLDER),
                options.forTests(tests -> tests.processStart(processStart))));
    clock.awaitLoopAtRest();
    clock.answersOf(engine());
  }

  /** Makes a blocking call; what it is answered is known after {@link #letWork}. */
  public <T> CompletableFuture<T> ask(Supplier<T> call) {
    Caller free =
        callers.stream()
            .filter(caller -> !caller.isBusy())
            .findFirst()
            .orElseThrow(() -> new AssertionError("more blocking calls at once than callers"));
    return free.begin(call);
  }

  /**
   * Lets the loop work on all that was asked until it has nothing left to do, as often as calls
   * take several requests.
   */
  public void letWork() {
    clock.letLoopWork();
    for (int turn = 0; isAnyoneWaiting(); turn++) {
      if (turn > TURN_COUNT_MAX) {
        throw new AssertionError("a call does not come to an end");
      }
      clock.letLoopWork();
    }
  }

  private boolean isAnyoneWaiting() {
    boolean isWaiting = false;
    for (Caller caller : callers) {
      isWaiting |= caller.awaitSettled();
    }
    return isWaiting;
  }

  /**
   * Opens the store again in the same process.
   *
   * @throws StoreException the store does not open; the engine stays poisoned
   */
  public void reopen() {
    JobEngine poisoned = engine();
    CompletableFuture<Void> done =
        ask(
            () -> {
              poisoned.reopen();
              return null;
            });
    letWork();
    Answers.of(done);
  }

  /** Closes the engine; throws what closing throws. */
  public void close() {
    JobEngine closing = engine();
    Caller closer = callers.get(0);
    CompletableFuture<Void> done =
        closer.begin(
            () -> {
              closing.close();
              return null;
            });
    clock.letLoopWorkUnless(() -> !closer.isBusy());
    while (closer.isBusy()) {
      closer.awaitSettled();
    }
    clock.forgetLoop();
    engine = Optional.empty();
    Answers.of(done);
  }

  /** Lets go of an engine, if there is one, that cannot do anything any more or is not to. */
  public void abandonIfOpen() {
    if (engine.isEmpty()) {
      return;
    }
    store.die();
    try {
      close();
    } catch (MillraceException expected) {
      // It could not say goodbye to its store, which is what a crash is.
      return;
    }
  }

  /** The threads that some engines need, one after the other. */
  public static List<Caller> callers(int count) {
    List<Caller> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      started.add(Caller.started());
    }
    return started;
  }
}

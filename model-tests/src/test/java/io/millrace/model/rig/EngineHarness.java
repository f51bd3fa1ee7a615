package io.millrace.model.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.MillraceException;
import io.millrace.api.ClaimOptions;
import io.millrace.api.EngineOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.QueueName;
import io.millrace.engine.JobEngine;
import io.millrace.engine.SmallSteps;
import io.millrace.model.remote.ThroughServer;
import io.millrace.spi.StoreFactory;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.rig.Reach;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine on a store and a clock that a test controls, with stops of every kind. For one test
 * thread.
 */
public final class EngineHarness implements AutoCloseable {

  private static final QueueName NOWHERE = QueueName.of("a queue that never exists");

  private final Opening opening;
  private final ControlledFactory factory;
  private final StoreOptions storeOptions;
  private final ManualClock clock;
  private EngineOptions options;
  private int processes;
  private JobEngine engine;
  private ThroughServer.@Nullable Way reached;

  public EngineHarness(StoreKind kind, Path folder, Setup setup) {
    this(kind, folder, setup::options);
  }

  /** Whose broadcasts are under way in many commits, however few jobs they reach. */
  public static EngineHarness withSmallSteps(StoreKind kind, Path folder, Setup setup) {
    return new EngineHarness(kind.newFactory(), folder, setup::options, SmallSteps::open);
  }

  /** With options of the test's own, made for the harness's clock. */
  public EngineHarness(StoreKind kind, Path folder, Function<ManualClock, EngineOptions> options) {
    this(kind.newFactory(), folder, options);
  }

  /** On a store of the test's own making. */
  public EngineHarness(
      StoreFactory inner, Path folder, Function<ManualClock, EngineOptions> options) {
    this(inner, folder, options, JobEngine::open);
  }

  private EngineHarness(
      StoreFactory inner,
      Path folder,
      Function<ManualClock, EngineOptions> options,
      Opening opening) {
    this.opening = opening;
    this.factory = new ControlledFactory(inner);
    this.storeOptions = StoreOptions.of(folder);
    this.clock = ManualClock.start();
    this.options = options.apply(clock);
    this.engine = open();
  }

  /** How a store is opened. */
  private interface Opening {
    JobEngine open(StoreFactory factory, StoreOptions store, EngineOptions options);
  }

  public JobEngine engine() {
    return engine;
  }

  /** The engine's queues, by the way to them that this run of tests takes. */
  public JobQueues queues() {
    if (!Reach.isTaken()) {
      return engine;
    }
    if (reached == null) {
      reached = ThroughServer.begin(engine, clock::monotonicNs);
    }
    return reached.queues();
  }

  /** What the next opening is given. */
  public EngineOptions options() {
    return options;
  }

  /** The clock, when whatever was asked for has reached the engine. */
  public ManualClock clock() {
    if (reached != null && !engine.isClosed()) {
      reached.awaitCalls();
    }
    return clock;
  }

  public ControlledStore store() {
    return factory.store();
  }

  /** The simulated machine, if the store is on one. */
  public FaultyStore machine() {
    return (FaultyStore) factory.inner();
  }

  /** A request that changes nothing: when it is answered the engine has seen the clock as it is. */
  public void poke() {
    assertThat(queues().queue(NOWHERE).claim(ClaimOptions.by("nobody"))).isEmpty();
  }

  /** Waits until the engine has done, by itself, all that is due by now. */
  public void awaitNothingDue() {
    clock.awaitSleeper();
  }

  /**
   * Lets so much time pass that all leases are stored, whether there is a batch for them or not.
   */
  public void storeLeases() {
    clock.advanceMs(5);
    clock.awaitSleeper();
  }

  /** Changes what the next opening is given. */
  public void nextOptions(UnaryOperator<EngineOptions> change) {
    options = change.apply(options);
  }

  public void restartCleanly() {
    engine.close();
    engine = open();
  }

  /**
   * Opens an engine that has failed again, also if that fails at first; then it works and has done,
   * by itself, all that is due. A second passes before.
   */
  public void recover() {
    clock.advanceMs(1_000);
    awaitNothingDue();
    while (engine.poison().isPresent()) {
      try {
        engine.reopen();
      } catch (MillraceException again) {
        // Opening writes too, and may meet the next fault.
      }
      awaitNothingDue();
    }
  }

  /** Opens the store again after the test has ended the engine in its own way. */
  public void openAgain() {
    engine = open();
  }

  /**
   * Ends the engine as the death of its process would: what was written stays, nothing more gets
   * through.
   */
  public void crash() {
    store().cut();
    abandon();
    engine = open();
  }

  /** Ends the engine as the loss of power would: what was synced stays. */
  public void losePower() {
    machine().crash();
    abandon();
    engine = open();
  }

  /** Leaves the way to the engine; what comes next goes by another. */
  private void leave() {
    if (reached != null) {
      reached.close();
      reached = null;
    }
  }

  private void abandon() {
    try {
      engine.close();
    } catch (MillraceException expected) {
      // The engine could not say goodbye to its store, which is what a crash is.
    }
  }

  private JobEngine open() {
    leave();
    Instant processStart = Instant.ofEpochMilli(++processes);
    return opening.open(
        factory, storeOptions, options.forTests(tests -> tests.processStart(processStart)));
  }

  /** A test that failed while it held the store must not wait for it. */
  @Override
  public void close() {
    store().letGo();
    leave();
    engine.close();
  }
}

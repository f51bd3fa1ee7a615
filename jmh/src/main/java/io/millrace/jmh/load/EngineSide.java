package io.millrace.jmh.load;

import io.millrace.api.VerifyReport;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An engine under load, on a store of its own, with the queues and the backlog that it begins with.
 */
final class EngineSide implements AutoCloseable {

  private final LoadOptions options;
  private final Progress progress;
  private final Metering metering;
  private final EngineTarget engine;
  private final Checking checking;
  private final Side side;

  /**
   * Settings of the check of the jobs, by which a test checks the check.
   *
   * @param tampering puts another target between the callers and the engine
   * @param drainStall how long nothing may come any more before missing jobs count as lost
   */
  record Checking(UnaryOperator<Target> tampering, Duration drainStall) {

    static final Checking USUAL = new Checking(driven -> driven, Duration.ofSeconds(30));
  }

  /**
   * The state with which callers go on when their engine was closed and its store is opened again.
   *
   * @param traffic what they have counted
   * @param mix the mix of their jobs; empty before the store was opened first
   */
  record Past(Traffic traffic, Optional<Mix> mix) {}

  /** Opens the engine. The folder is the store's own, and its name is that of the side. */
  EngineSide(
      LoadOptions options,
      StoreFactory factory,
      Path folder,
      Progress progress,
      Checking checking) {
    this(
        new Load(options, progress, checking, new Past(Side.traffic(options), Optional.empty())),
        factory,
        folder);
  }

  private EngineSide(Load load, StoreFactory factory, Path folder) {
    this.options = load.options;
    this.progress = load.progress;
    this.checking = load.checking;
    this.metering = new Metering(factory);
    this.engine = EngineTarget.open(metering, folder, options, load.past.mix());
    Target driven = checking.tampering().apply(driven());
    String name = folder.getFileName().toString();
    this.side = new Side(name, options, driven, progress, load.past.traffic());
  }

  /** The load of a side that is not open, without anything that its engine would hold. */
  record Load(LoadOptions options, Progress progress, Checking checking, Past past) {

    /** Opens an engine on the store of an earlier one, which has the load from now on. */
    EngineSide open(StoreFactory factory, Path folder) {
      return new EngineSide(this, factory, folder);
    }
  }

  /** Returns the load as it is now, with which another engine on the store can go on. */
  Load load() {
    return new Load(
        options, progress, checking, new Past(side.traffic(), Optional.of(engine.mix())));
  }

  private Target driven() {
    if (options.queues().areTenants()) {
      return new TenantsTarget(engine, options);
    }
    return options.queues().isSpread() ? new SpreadTarget(engine, options) : engine;
  }

  Side side() {
    return side;
  }

  /** Returns the footprint of everything written to the store so far. */
  Footprint written() {
    return metering.total();
  }

  /** Makes the queues that only have to exist, or those that the load is spread over. */
  void fillQueues() {
    progress.stage("putting the queues there", 0, 0);
    engine.fillQueues();
  }

  /** Makes the backlog: ready jobs, or far-off ones, or rows of tables. */
  void fillBacklog() {
    progress.stage("putting the backlog there", 0, 0);
    Backlog backlog = new Backlog(options);
    if (options.workload().isBesideFarOff()) {
      backlog.fillFarOff(engine);
    } else if (options.workload() == Workload.TABLES) {
      backlog.fillTables(engine);
    } else {
      backlog.fill(side.target(), side.traffic());
    }
  }

  /** Ends what is under way. Returns what is wrong with the jobs; empty if nothing is. */
  List<String> drainAndCheck() {
    progress.stage("emptying the queue and counting", 0, 0);
    side.drain(checking.drainStall());
    List<String> findings = new ArrayList<>(side.traffic().ledger().findings());
    long expected = options.workload().isBesideFarOff() ? options.backlogCount() : 0;
    long left = engine.waitingCount();
    if (left != expected || engine.delayedCount() != expected) {
      findings.add("jobs in the queue at the end: expected=" + expected + ", found=" + left);
    }
    if (options.workload() == Workload.SOAK) {
      VerifyReport report = engine.verify();
      if (!report.isClean()) {
        findings.add("verify found: " + report);
      }
    }
    return findings;
  }

  @Override
  public void close() {
    engine.close();
  }
}

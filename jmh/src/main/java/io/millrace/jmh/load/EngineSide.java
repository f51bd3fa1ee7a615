package io.millrace.jmh.load;

import io.millrace.api.VerifyReport;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  /** Opens the engine. The folder is the store's own, and its name is that of the side. */
  EngineSide(
      LoadOptions options,
      StoreFactory factory,
      Path folder,
      Progress progress,
      Checking checking) {
    this.options = options;
    this.progress = progress;
    this.checking = checking;
    this.metering = new Metering(factory);
    this.engine = EngineTarget.open(metering, folder, options);
    Target driven = driven();
    this.side =
        new Side(
            folder.getFileName().toString(), options, checking.tampering().apply(driven), progress);
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

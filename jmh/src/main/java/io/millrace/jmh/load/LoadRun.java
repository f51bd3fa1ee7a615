package io.millrace.jmh.load;

import io.millrace.api.VerifyReport;
import io.millrace.internal.format.Keyspace;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run: the engine, a bare store and a plain log take turns in short rounds, so that what the
 * machine does beside us meets all three.
 */
public final class LoadRun {

  /** Payload bytes that one round may add to a queue that nobody empties. */
  private static final long ROUND_BYTES_MAX = 256L << 20;

  /** Payload bytes that wait at a round's end beyond which the queue is emptied before the next. */
  private static final long KEPT_BYTES_MAX = 512L << 20;

  private static final int OUTSTANDING_LEAST = 1_024;
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(2);
  private static final Duration DRAIN_STALL = Duration.ofSeconds(30);
  private static final int DRAIN_IN_FLIGHT = 16;
  private static final int FILL_BATCH = 1_000;

  private final LoadOptions options;
  private final StoreFactory factory;
  private final Progress progress;
  private final Checking checking;
  private final Turns turns = new Turns();
  private long peakOutstanding;
  private long storeBytes;

  /**
   * A run that has not started.
   *
   * @param factory opens the store that is measured
   */
  public LoadRun(LoadOptions options, StoreFactory factory, Progress progress) {
    this(options, factory, progress, new Checking(driven -> driven, DRAIN_STALL));
  }

  LoadRun(LoadOptions options, StoreFactory factory, Progress progress, Checking checking) {
    this.options = options;
    this.factory = factory;
    this.progress = progress;
    this.checking = checking;
  }

  /**
   * How the check of the jobs can itself be checked.
   *
   * @param tampering puts something between the callers and the engine
   * @param drainStall how long nothing may come any more before what is missing counts as lost
   */
  record Checking(UnaryOperator<Target> tampering, Duration drainStall) {}

  /** Runs it; what it wrote is gone afterwards. */
  public LoadResult run() {
    try (RunFolder folder = RunFolder.create(options.folder())) {
      Metering metering = new Metering(factory);
      Path engineFolder = folder.path().resolve("engine");
      try (EngineTarget engine = new EngineTarget(metering, engineFolder, options);
          Target driven = options.queues().isSpread() ? new SpreadTarget(engine, options) : engine;
          RawWriter raw = new RawWriter(factory, folder.path().resolve("raw"));
          PlainLog floor =
              new PlainLog(
                  folder.path().resolve("plain.log"),
                  options.durability(),
                  options.payloadBytes())) {
        Side engineSide =
            new Side(
                checking.tampering().apply(driven),
                new Traffic(options.callers().producerCount() + 1));
        Side floorSide = new Side(floor, new Traffic(options.callers().producerCount() + 1));
        if (options.queues().loadOn() == LoadOptions.LoadOn.ONE) {
          progress.stage("putting the other queues there", 0, 0);
          engine.fillOtherQueues();
        }
        Parts parts = new Parts(metering, engineSide, raw, floorSide, engineFolder);
        fill(parts, engine);
        warmUp(parts);
        for (int i = 1; i <= options.timing().roundCount(); i++) {
          turns.add(turn(parts, options.timing().round(), i));
        }
        progress.stage("emptying the queue and counting", 0, 0);
        List<String> findings = new ArrayList<>();
        drain(engineSide);
        findings.addAll(engineSide.traffic().ledger().findings());
        findings.addAll(findings(engine));
        return result(engineSide, findings);
      }
    }
  }

  /** A target and its callers' books. */
  private record Side(Target target, Traffic traffic) {}

  private record Parts(
      Metering metering, Side engine, RawWriter raw, Side floor, Path engineFolder) {}

  private void fill(Parts parts, EngineTarget engine) {
    if (options.backlogCount() == 0) {
      return;
    }
    progress.stage("putting the backlog there", 0, 0);
    Backlog backlog = new Backlog(options);
    Footprint before = parts.metering().total();
    if (options.workload() == Workload.DELAYED) {
      backlog.fillFarOff(engine);
      Footprint shape = parts.metering().total().since(before);
      parts.raw().fill(Keyspace.DELAYED, options.backlogCount(), shape);
    } else {
      backlog.fill(parts.engine().target(), parts.engine().traffic());
      Footprint shape = parts.metering().total().since(before);
      parts.raw().fill(Keyspace.READY, options.backlogCount(), shape);
      backlog.fill(parts.floor().target(), parts.floor().traffic());
    }
  }

  private void warmUp(Parts parts) {
    Duration round = options.timing().round();
    turn(parts, round.compareTo(WARM_UP_MAX) < 0 ? round : WARM_UP_MAX, 0);
    parts.engine().traffic().latencies().dropRound();
  }

  private Turns.Turn turn(Parts parts, Duration length, int number) {
    Footprint before = parts.metering().total();
    Round engine = round("engine", parts.engine(), length, number);
    Footprint written = parts.metering().total().since(before);
    if (number > 0) {
      parts.engine().traffic().latencies().endRound();
    }
    noteSize(parts);
    double raw = rawRound(parts.raw(), engine, written, length, number);
    Round floor = round("plain log", parts.floor(), length, number);
    drainIfLarge(parts.engine());
    drainIfLarge(parts.floor());
    return new Turns.Turn(engine, written, raw, floor);
  }

  private Round round(String who, Side side, Duration length, int number) {
    Traffic traffic = side.traffic();
    traffic.start(outstandingMax(traffic));
    long startNs = System.nanoTime();
    Round round =
        Round.run(
            options,
            side.target(),
            traffic,
            length,
            jobs -> progress.stage(who, number, jobs * 1e9 / (System.nanoTime() - startNs)));
    requireNoFailure(traffic);
    return round;
  }

  private long outstandingMax(Traffic traffic) {
    if (!options.workload().hasConsumers()) {
      return traffic.outstandingCount() + Math.max(1, ROUND_BYTES_MAX / options.payloadBytes());
    }
    long underWay = Math.max(OUTSTANDING_LEAST, 4 * options.callers().underWayCountMax());
    long delayed = options.workload() == Workload.CYCLE ? 0 : 100_000;
    long backlog = options.workload() == Workload.DELAYED ? 0 : options.backlogCount();
    return backlog + underWay + (options.workload() == Workload.BACKLOG ? 0 : delayed);
  }

  private static void requireNoFailure(Traffic traffic) {
    @Nullable Throwable failure = traffic.failure();
    if (failure != null) {
      throw Waiting.unchecked(failure);
    }
  }

  private double rawRound(
      RawWriter raw, Round engine, Footprint written, Duration length, int number) {
    if (written.batchCount() == 0 || engine.jobCount() == 0) {
      return 0;
    }
    double jobsPerBatch = (double) engine.jobCount() / written.batchCount();
    long batchMax =
        options.workload().hasConsumers()
            ? Long.MAX_VALUE
            : (long) Math.max(1, ROUND_BYTES_MAX / (jobsPerBatch * options.payloadBytes()));
    progress.stage("bare store", number, 0);
    long startNs = System.nanoTime();
    long[] left = {batchMax};
    long batchCount =
        raw.write(written, () -> System.nanoTime() - startNs > length.toNanos() || left[0]-- == 0);
    return batchCount * jobsPerBatch * 1e9 / (System.nanoTime() - startNs);
  }

  private void noteSize(Parts parts) {
    long outstanding = parts.engine().traffic().outstandingCount();
    if (options.workload() == Workload.DELAYED) {
      outstanding += options.backlogCount();
    }
    peakOutstanding = Math.max(peakOutstanding, outstanding);
    storeBytes = Math.max(storeBytes, RunFolder.bytes(parts.engineFolder()));
  }

  private void drainIfLarge(Side side) {
    if (side.traffic().outstandingCount() * options.payloadBytes() > KEPT_BYTES_MAX
        && options.backlogCount() == 0) {
      drain(side);
    }
  }

  /** Completes all that waits; gives up when nothing more comes. */
  private void drain(Side side) {
    Traffic traffic = side.traffic();
    InFlight inFlight = new InFlight(DRAIN_IN_FLIGHT);
    long lastNs = System.nanoTime();
    for (long left = traffic.outstandingCount();
        left > 0
            && traffic.failure() == null
            && System.nanoTime() - lastNs < checking.drainStall().toNanos(); ) {
      inFlight.enter();
      drainOnce(side, inFlight);
      long before = left;
      left = traffic.outstandingCount();
      lastNs = left < before ? System.nanoTime() : lastNs;
    }
    inFlight.awaitNone();
    requireNoFailure(traffic);
  }

  private static void drainOnce(Side side, InFlight inFlight) {
    side.target()
        .claimAsync(FILL_BATCH)
        .thenCompose(claimed -> claimed.completeAsync(side.traffic()::completed))
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                side.traffic().fail(thrown);
              }
              inFlight.leave();
            });
  }

  private List<String> findings(EngineTarget engine) {
    List<String> findings = new ArrayList<>();
    long expected = options.workload() == Workload.DELAYED ? options.backlogCount() : 0;
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

  private LoadResult result(Side engineSide, List<String> findings) {
    Latencies latencies = engineSide.traffic().latencies();
    return new LoadResult(
        options,
        turns.engine(),
        turns.raw(),
        turns.floor(),
        new LoadResult.Latency(
            percentiles(latencies, Latencies.Call.ENQUEUE),
            percentiles(latencies, Latencies.Call.CLAIM),
            percentiles(latencies, Latencies.Call.COMPLETE),
            percentiles(latencies, Latencies.Call.LATENESS)),
        new LoadResult.Cost(
            turns.median(Turns.Turn::allocatedBytesPerJob),
            (double) storeBytes / Math.max(1, jobsOnDisk(engineSide))),
        turns.commits(),
        List.copyOf(findings));
  }

  private long jobsOnDisk(Side engineSide) {
    boolean isKept = options.workload() == Workload.ENQUEUE || options.backlogCount() > 0;
    return isKept ? peakOutstanding : engineSide.traffic().completedCount();
  }

  private static Percentiles percentiles(Latencies latencies, Latencies.Call call) {
    return new Percentiles(
        latencies.percentileUs(call, 50),
        latencies.percentileUs(call, 99),
        latencies.percentileUs(call, 99.9));
  }
}

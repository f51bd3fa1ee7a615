package io.millrace.jmh.load;

import io.millrace.internal.format.Keyspace;
import io.millrace.jmh.load.EngineSide.Checking;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A run in which the engine, a bare store and two plain logs take turns in short rounds, so that
 * other work of the machine meets all of them.
 */
public final class LoadRun {

  private final LoadOptions options;
  private final StoreFactory factory;
  private final Progress progress;
  private final Checking checking;
  private final Turns turns = new Turns();

  /**
   * Creates a run, which has not started.
   *
   * @param factory opens the store that is measured
   */
  public LoadRun(LoadOptions options, StoreFactory factory, Progress progress) {
    this(options, factory, progress, Checking.USUAL);
  }

  LoadRun(LoadOptions options, StoreFactory factory, Progress progress, Checking checking) {
    this.options = options;
    this.factory = factory;
    this.progress = progress;
    this.checking = checking;
  }

  /** Runs the load. Everything that it wrote is gone afterwards. */
  public LoadResult run() {
    try (RunFolder folder = RunFolder.create(options.folder())) {
      Path engineFolder = folder.path().resolve("engine");
      try (EngineSide engine = new EngineSide(options, factory, engineFolder, progress, checking);
          RawWriter raw = new RawWriter(factory, folder.path().resolve("raw"));
          LogSide growing = floor(folder, PlainLog.Place.AT_THE_END);
          LogSide overTheOld = floor(folder, PlainLog.Place.OVER_THE_OLD)) {
        Parts parts = new Parts(engine, raw, growing, overTheOld);
        engine.fillQueues();
        fillBacklog(parts);
        turn(parts, options.timing().warmUp(), 0);
        engine.side().traffic().latencies().dropRound();
        for (int i = 1; i <= options.timing().roundCount(); i++) {
          turns.add(turn(parts, options.timing().round(), i));
          engine.side().traffic().latencies().endRound();
        }
        return result(engine.side().traffic(), engine.drainAndCheck());
      }
    }
  }

  private record Parts(EngineSide engine, RawWriter raw, LogSide growing, LogSide overTheOld) {}

  private LogSide floor(RunFolder folder, PlainLog.Place place) {
    return LogSide.create(folder, place, options, progress);
  }

  private void fillBacklog(Parts parts) {
    if (options.backlogCount() == 0) {
      return;
    }
    Footprint before = parts.engine().written();
    parts.engine().fillBacklog();
    Footprint shape = parts.engine().written().since(before);
    if (options.workload() == Workload.DELAYED) {
      parts.raw().fill(Keyspace.DELAYED, options.backlogCount(), shape);
    } else if (options.workload() == Workload.TABLES) {
      parts.raw().fill(Keyspace.TABLE, options.backlogCount(), shape);
    } else {
      parts.raw().fill(Keyspace.READY, options.backlogCount(), shape);
      parts.growing().fillBacklog();
      parts.overTheOld().fillBacklog();
    }
  }

  /**
   * Runs a round of each. The logs go first every other time, for a side that follows another meets
   * the work that the other left to do.
   */
  private Turns.Turn turn(Parts parts, Duration length, int number) {
    Turns.Floors floors = number % 2 == 0 ? floorRounds(parts, length, number) : null;
    Traffic traffic = parts.engine().side().traffic();
    long passedBefore = passedCount(traffic);
    Footprint before = parts.engine().written();
    Round engine = parts.engine().side().round(length, number);
    Footprint written = parts.engine().written().since(before);
    // What ends after the round's time is in no rate, but in what was written.
    double jobsPerBatch =
        (double) (passedCount(traffic) - passedBefore) / Math.max(1, written.batchCount());
    double raw = rawRound(parts.raw(), written, jobsPerBatch, length, number);
    parts.engine().side().drainIfLong(checking.drainStall());
    return new Turns.Turn(
        engine,
        written,
        jobsPerBatch,
        raw,
        floors == null ? floorRounds(parts, length, number) : floors);
  }

  private long passedCount(Traffic traffic) {
    return options.workload().hasConsumers() ? traffic.completedCount() : traffic.enqueuedCount();
  }

  private Turns.Floors floorRounds(Parts parts, Duration length, int number) {
    return new Turns.Floors(
        parts.growing().round(length, number, checking.drainStall()),
        parts.overTheOld().round(length, number, checking.drainStall()));
  }

  private double rawRound(
      RawWriter raw, Footprint written, double jobsPerBatch, Duration length, int number) {
    if (jobsPerBatch == 0) {
      return 0;
    }
    long batchMax =
        options.workload().hasConsumers()
            ? Long.MAX_VALUE
            : (long) Math.max(1, Side.ROUND_BYTES_MAX / (jobsPerBatch * options.payloadBytes()));
    progress.stage("bare store", number, 0);
    long startNs = System.nanoTime();
    long[] left = {batchMax};
    long batchCount =
        raw.write(written, () -> System.nanoTime() - startNs > length.toNanos() || left[0]-- == 0);
    return batchCount * jobsPerBatch * 1e9 / (System.nanoTime() - startNs);
  }

  private LoadResult result(Traffic traffic, List<String> findings) {
    return new LoadResult(
        options,
        turns.engine(),
        turns.raw(),
        turns.floor(),
        turns.strictFloor(),
        LoadResult.Latency.of(traffic.latencies()),
        new LoadResult.Cost(
            turns.median(turn -> turn.engine().allocatedBytesPerJob()),
            DiskRun.bytesPerJob(factory, options.folder(), options.payloadBytes())),
        turns.commits(),
        turns.time(),
        List.copyOf(findings));
  }
}

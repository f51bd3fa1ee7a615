package io.millrace.jmh.load;

import io.millrace.jmh.load.EngineSide.Checking;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run of a load beside much that is in the store, in turns with the stricter plain log, which
 * holds next to nothing. Then the engine is closed, the store opened again with all that is in it,
 * and emptied, so that a job which is lost in between is seen, too.
 */
public final class GrowthRun {

  /** The jobs that wait in the log: numbers in memory, of which more would cost no more. */
  private static final int LOG_BACKLOG_MAX = 1_000;

  private static final int OPENING_COUNT = 3;
  private static final double NOTHING = 1e-9;

  private final LoadOptions options;
  private final StoreFactory factory;
  private final Progress progress;
  private final Checking checking;

  /**
   * Measurements of a run. Rates are medians over the rounds, the ratio is the median of those
   * within each round, percentiles are over all rounds together.
   *
   * @param options the load that was run
   * @param jobsPerSecond the engine's rate
   * @param spread (largest - smallest round) / median
   * @param logJobsPerSecond the rate of the plain log that is written over
   * @param logRatio the engine's rate over that one
   * @param latency latencies of the engine's calls
   * @param allocatedBytes bytes for each job, allocated by all threads, those of callers included
   * @param heapBytes bytes of the live heap that the engine held after the last round
   * @param kept what is kept in the store; empty for a store that keeps nothing
   * @param findings what was wrong with the jobs, empty if each was completed exactly once
   */
  public record Result(
      LoadOptions options,
      double jobsPerSecond,
      double spread,
      double logJobsPerSecond,
      double logRatio,
      LoadResult.Latency latency,
      double allocatedBytes,
      long heapBytes,
      Optional<Kept> kept,
      List<String> findings) {

    public boolean isGood() {
      return findings.isEmpty();
    }
  }

  /**
   * Measurements of a store that was closed after the load, with all that was in it.
   *
   * @param openMs median time until an engine on it was open
   * @param firstClaimMs time of the same opening until its first claim was answered
   * @param heapBytes bytes that the engine added to the live heap by that
   * @param diskBytes size of its files, without the reserve for a full disk
   */
  public record Kept(double openMs, double firstClaimMs, long heapBytes, long diskBytes) {}

  /**
   * The findings of the part of a run that had load, without anything that its engine would hold.
   */
  private record Loaded(
      List<Turn> turns,
      EngineSide.Load load,
      long heapBytes,
      boolean isKept,
      List<String> findings) {}

  /** A round of the engine, and one of the log. */
  private record Turn(Round engine, Round log) {

    double ratio() {
      return engine.jobsPerSecond() / Math.max(NOTHING, log.jobsPerSecond());
    }
  }

  /** Creates a run, which has not started. */
  public GrowthRun(LoadOptions options, StoreFactory factory, Progress progress) {
    this(options, factory, progress, Checking.USUAL);
  }

  GrowthRun(LoadOptions options, StoreFactory factory, Progress progress, Checking checking) {
    this.options = options;
    this.factory = factory;
    this.progress = progress;
    this.checking = checking;
  }

  /**
   * Runs the load. Everything that it wrote is gone afterwards.
   *
   * @throws TooFewThreadsException the system does not start as many threads as there are callers
   */
  public Result run() {
    try (RunFolder folder = RunFolder.create(options.folder())) {
      Path store = folder.path().resolve("engine");
      Loaded loaded = load(folder, store);
      long heapBytes = Math.max(0, loaded.heapBytes - OpenRun.liveHeapBytes());
      if (!loaded.isKept) {
        return result(loaded, heapBytes, Optional.empty(), loaded.findings);
      }
      progress.stage("opening the store again", 0, 0);
      long diskBytes = RunFolder.bytes(store);
      OpenRun.Opening opening = OpenRun.open(factory, store, OPENING_COUNT);
      Kept kept =
          new Kept(
              opening.openMs(),
              opening.firstClaimMs(),
              Math.max(0, opening.heapBytes()),
              diskBytes);
      try (EngineSide again = loaded.load.open(factory, store)) {
        return result(loaded, heapBytes, Optional.of(kept), again.drainAndCheck());
      }
    }
  }

  private Loaded load(RunFolder folder, Path store) {
    try (EngineSide engine = new EngineSide(options, factory, store, progress, checking)) {
      engine.fillQueues();
      engine.fillBacklog();
      List<Turn> turns = turns(folder, engine);
      long heapBytes = OpenRun.liveHeapBytes();
      boolean isKept = RunFolder.bytes(store) > 0;
      List<String> findings = isKept ? List.of() : engine.drainAndCheck();
      return new Loaded(turns, engine.load(), heapBytes, isKept, findings);
    }
  }

  private List<Turn> turns(RunFolder folder, EngineSide engine) {
    LoadOptions little = options.withBacklog(Math.min(options.backlogCount(), LOG_BACKLOG_MAX));
    try (LogSide log = LogSide.create(folder, PlainLog.Place.OVER_THE_OLD, little, progress)) {
      if (options.workload() == Workload.BACKLOG) {
        log.fillBacklog();
      }
      List<Turn> turns = new ArrayList<>();
      turn(engine, log, options.timing().warmUp(), 0);
      engine.side().traffic().latencies().dropRound();
      for (int i = 1; i <= options.timing().roundCount(); i++) {
        turns.add(turn(engine, log, options.timing().round(), i));
        engine.side().traffic().latencies().endRound();
      }
      return turns;
    }
  }

  /** Runs a round of each, the log first every other time; see {@link LoadRun}. */
  private Turn turn(EngineSide engine, LogSide log, Duration length, int number) {
    if (number % 2 == 0) {
      Round first = log.round(length, number, checking.drainStall());
      return new Turn(round(engine, length, number), first);
    }
    Round first = round(engine, length, number);
    return new Turn(first, log.round(length, number, checking.drainStall()));
  }

  private Round round(EngineSide engine, Duration length, int number) {
    Round round = engine.side().round(length, number);
    engine.side().drainIfLong(checking.drainStall());
    return round;
  }

  private Result result(Loaded loaded, long heapBytes, Optional<Kept> kept, List<String> findings) {
    Middle rates = Middle.of(loaded.turns, turn -> turn.engine.jobsPerSecond());
    return new Result(
        options,
        rates.median(),
        rates.spread(),
        Middle.of(loaded.turns, turn -> turn.log.jobsPerSecond()).median(),
        Middle.of(loaded.turns, Turn::ratio).median(),
        LoadResult.Latency.of(loaded.load.past().traffic().latencies()),
        Middle.of(loaded.turns, turn -> turn.engine.allocatedBytesPerJob()).median(),
        heapBytes,
        kept,
        List.copyOf(findings));
  }
}

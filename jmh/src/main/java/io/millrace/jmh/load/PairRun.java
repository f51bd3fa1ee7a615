package io.millrace.jmh.load;

import io.millrace.jmh.load.EngineSide.Checking;
import io.millrace.jmh.load.LoadResult.CommitTime;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.spi.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of two loads on two engines with stores of the same kind, in turns. It measures what it
 * costs that much is in a store, or has passed through it. The machine's noise meets both.
 */
public final class PairRun {

  private static final Duration PASSING = Duration.ofSeconds(5);
  private static final double NOTHING = 1e-9;

  private final LoadOptions burdened;
  private final LoadOptions light;
  private final long passedCount;
  private final StoreFactory factory;
  private final Progress progress;

  /**
   * Measurements of both loads. Rates are medians over the rounds.
   *
   * @param jobsPerSecond rate of the burdened engine
   * @param lightJobsPerSecond rate of the light one
   * @param ratio median of the first over the second in the same round
   * @param spread (largest - smallest ratio) / median
   * @param claim latency of the burdened engine's claims
   * @param lightClaim latency of the light one's
   * @param time time of the burdened engine's commit thread
   * @param lightTime time of the light one's
   * @param findings what was wrong with the jobs, empty if each was completed exactly once
   */
  public record Result(
      double jobsPerSecond,
      double lightJobsPerSecond,
      double ratio,
      double spread,
      Percentiles claim,
      Percentiles lightClaim,
      CommitTime time,
      CommitTime lightTime,
      List<String> findings) {}

  /**
   * Creates a run, which has not started.
   *
   * @param burdened the load with much in its store
   * @param light the same load with little; its timing counts for both
   * @param passedCount jobs that pass through the burdened engine before anything is measured
   */
  public PairRun(
      LoadOptions burdened,
      LoadOptions light,
      long passedCount,
      StoreFactory factory,
      Progress progress) {
    this.burdened = burdened;
    this.light = light;
    this.passedCount = passedCount;
    this.factory = factory;
    this.progress = progress;
  }

  /** Runs both loads. Everything that they wrote is gone afterwards. */
  public Result run() {
    try (RunFolder folder = RunFolder.create(light.folder());
        EngineSide first = open("burdened", burdened, folder);
        EngineSide second = open("light", light, folder)) {
      List<EngineSide> sides = List.of(first, second);
      for (EngineSide side : sides) {
        side.fillQueues();
        side.fillBacklog();
      }
      while (first.side().traffic().completedCount() < passedCount) {
        first.side().round(PASSING, 0);
      }
      List<Pair> pairs = new ArrayList<>();
      turn(sides, light.timing().warmUp(), 0);
      sides.forEach(side -> side.side().traffic().latencies().dropRound());
      for (int i = 1; i <= light.timing().roundCount(); i++) {
        pairs.add(turn(sides, light.timing().round(), i));
        sides.forEach(side -> side.side().traffic().latencies().endRound());
      }
      List<String> findings = new ArrayList<>();
      sides.forEach(side -> findings.addAll(side.drainAndCheck()));
      return result(pairs, sides, findings);
    }
  }

  /**
   * Runs a round of each. They take turns in going first: the second meets the work that the first
   * left to do.
   */
  private static Pair turn(List<EngineSide> sides, Duration length, int number) {
    EngineSide burdened = sides.get(0);
    EngineSide light = sides.get(1);
    if (number % 2 == 0) {
      Half first = half(light, length, number);
      return new Pair(half(burdened, length, number), first);
    }
    return new Pair(half(burdened, length, number), half(light, length, number));
  }

  private static Half half(EngineSide side, Duration length, int number) {
    Footprint before = side.written();
    long completedBefore = side.side().traffic().completedCount();
    Round round = side.side().round(length, number);
    long jobCount = side.side().traffic().completedCount() - completedBefore;
    double rate = round.jobsPerSecond();
    return new Half(rate, CommitTime.of(side.written().since(before), jobCount, rate));
  }

  /** Rate and commit time of one of the two in a round. */
  private record Half(double jobsPerSecond, CommitTime time) {}

  /** A round of each. */
  private record Pair(Half burdened, Half light) {

    double ratio() {
      return burdened.jobsPerSecond() / Math.max(NOTHING, light.jobsPerSecond());
    }
  }

  private static Result result(List<Pair> pairs, List<EngineSide> sides, List<String> findings) {
    Middle ratios = Middle.of(pairs, Pair::ratio);
    return new Result(
        Middle.of(pairs, pair -> pair.burdened.jobsPerSecond()).median(),
        Middle.of(pairs, pair -> pair.light.jobsPerSecond()).median(),
        ratios.median(),
        ratios.spread(),
        claims(sides.get(0)),
        claims(sides.get(1)),
        CommitTime.median(pairs.stream().map(pair -> pair.burdened.time()).toList()),
        CommitTime.median(pairs.stream().map(pair -> pair.light.time()).toList()),
        List.copyOf(findings));
  }

  private static Percentiles claims(EngineSide side) {
    return Percentiles.of(side.side().traffic().latencies(), Latencies.Call.CLAIM);
  }

  private EngineSide open(String name, LoadOptions options, RunFolder folder) {
    return new EngineSide(options, factory, folder.path().resolve(name), progress, Checking.USUAL);
  }
}

package io.millrace.jmh.load;

import io.millrace.jmh.load.LoadResult.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The rounds of a run, and what lies in their middle. */
final class Turns {

  private static final double NOTHING = 1e-9;

  private final List<Turn> turns = new ArrayList<>();

  /**
   * What the three came to in one round.
   *
   * @param engine the engine's round
   * @param written what it wrote to its store
   * @param rawJobsPerSecond the bare store's rate
   * @param floor the plain log's round
   */
  record Turn(Round engine, Footprint written, double rawJobsPerSecond, Round floor) {

    double jobsPerBatch() {
      return (double) engine.jobCount() / Math.max(1, written.batchCount());
    }

    double perSecond(long count) {
      return count * 1e9 / Math.max(1, engine.elapsed().toNanos());
    }

    double allocatedBytesPerJob() {
      return (double) engine.allocatedBytes() / Math.max(1, engine.jobCount());
    }
  }

  void add(Turn turn) {
    turns.add(turn);
  }

  Rate engine() {
    return rate(turn -> turn.engine.jobsPerSecond());
  }

  Rate raw() {
    return rate(Turn::rawJobsPerSecond);
  }

  Rate floor() {
    return rate(turn -> turn.floor.jobsPerSecond());
  }

  LoadResult.Commits commits() {
    return new LoadResult.Commits(
        median(Turn::jobsPerBatch),
        median(turn -> turn.perSecond(turn.written.batchCount())),
        median(turn -> turn.perSecond(turn.written.syncCount())));
  }

  double median(ToDoubleFunction<Turn> figure) {
    double[] sorted = sorted(figure);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private Rate rate(ToDoubleFunction<Turn> rate) {
    double[] sorted = sorted(rate);
    double middle = median(rate);
    return new Rate(
        middle,
        median(turn -> turn.engine.jobsPerSecond() / Math.max(NOTHING, rate.applyAsDouble(turn))),
        (sorted[sorted.length - 1] - sorted[0]) / Math.max(NOTHING, middle),
        rate.applyAsDouble(turns.get(0)),
        rate.applyAsDouble(turns.get(turns.size() - 1)));
  }

  private double[] sorted(ToDoubleFunction<Turn> figure) {
    double[] values = turns.stream().mapToDouble(figure).toArray();
    Arrays.sort(values);
    return values;
  }
}

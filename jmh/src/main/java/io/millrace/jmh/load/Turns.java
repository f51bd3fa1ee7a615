package io.millrace.jmh.load;

import io.millrace.jmh.load.LoadResult.CommitTime;
import io.millrace.jmh.load.LoadResult.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The rounds of a run, and the middle of their figures. */
final class Turns {

  private static final double NOTHING = 1e-9;

  private final List<Turn> turns = new ArrayList<>();

  /**
   * Figures of all sides in one round.
   *
   * @param engine the engine's round
   * @param written what the engine wrote to its store
   * @param jobsPerBatch how many jobs one of the engine's batches was for
   * @param rawJobsPerSecond the bare store's rate
   * @param floors the plain logs' rounds
   */
  record Turn(
      Round engine,
      Footprint written,
      double jobsPerBatch,
      double rawJobsPerSecond,
      Floors floors) {

    double batchesPerSecond() {
      return engine.jobsPerSecond() / Math.max(NOTHING, jobsPerBatch);
    }

    double syncsPerSecond() {
      return batchesPerSecond() * written.syncCount() / Math.max(1, written.batchCount());
    }

    CommitTime time() {
      return CommitTime.of(written, jobsPerBatch * written.batchCount(), engine.jobsPerSecond());
    }
  }

  /** Rounds of the log that grows, and of the log that is written over. */
  record Floors(Round growing, Round overTheOld) {}

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
    return rate(turn -> turn.floors.growing.jobsPerSecond());
  }

  Rate strictFloor() {
    return rate(turn -> turn.floors.overTheOld.jobsPerSecond());
  }

  LoadResult.Commits commits() {
    return new LoadResult.Commits(
        median(Turn::jobsPerBatch), median(Turn::batchesPerSecond), median(Turn::syncsPerSecond));
  }

  CommitTime time() {
    return CommitTime.median(turns.stream().map(Turn::time).toList());
  }

  double median(ToDoubleFunction<Turn> figure) {
    return Middle.of(turns, figure).median();
  }

  private Rate rate(ToDoubleFunction<Turn> rate) {
    Middle middle = Middle.of(turns, rate);
    return new Rate(
        middle.median(),
        median(turn -> turn.engine.jobsPerSecond() / Math.max(NOTHING, rate.applyAsDouble(turn))),
        middle.spread(),
        rate.applyAsDouble(turns.get(0)),
        rate.applyAsDouble(turns.get(turns.size() - 1)));
  }
}

package io.millrace.jmh.load;

import java.io.Serializable;
import java.util.List;

/**
 * Measurements of a run. Rates are medians over the rounds, ratios medians of the ratios within
 * each round, percentiles over all rounds together, microseconds.
 *
 * @param options the load that was run
 * @param engine the engine's rate
 * @param raw the rate at which the bare store took the same bytes
 * @param floor the rate of the plain log that grows
 * @param strictFloor the rate of the plain log that is written over
 * @param latency latencies of the engine's calls
 * @param cost the cost of a job
 * @param commits the engine's batches
 * @param time the time of the commit thread, by what it was spent on
 * @param findings what was wrong with the jobs, empty if each was completed exactly once
 */
public record LoadResult(
    LoadOptions options,
    Rate engine,
    Rate raw,
    Rate floor,
    Rate strictFloor,
    Latency latency,
    Cost cost,
    Commits commits,
    CommitTime time,
    List<String> findings) {

  /**
   * Rate in jobs a second.
   *
   * @param jobsPerSecond the median round
   * @param engineRatio the engine's rate over this one, in the same round
   * @param spread (largest - smallest round) / median: how noisy the machine was
   * @param firstJobsPerSecond the first round
   * @param lastJobsPerSecond the last round
   */
  public record Rate(
      double jobsPerSecond,
      double engineRatio,
      double spread,
      double firstJobsPerSecond,
      double lastJobsPerSecond) {}

  /** Percentiles of one kind of call, in microseconds; 0 where there was no such call. */
  public record Percentiles(double p50Us, double p99Us, double p999Us) implements Serializable {

    static Percentiles of(Latencies latencies, Latencies.Call call) {
      return new Percentiles(
          latencies.percentileUs(call, 50),
          latencies.percentileUs(call, 99),
          latencies.percentileUs(call, 99.9));
    }
  }

  /** Percentiles of each kind of call. */
  public record Latency(
      Percentiles enqueue, Percentiles claim, Percentiles complete, Percentiles lateness) {

    static Latency of(Latencies latencies) {
      return new Latency(
          Percentiles.of(latencies, Latencies.Call.ENQUEUE),
          Percentiles.of(latencies, Latencies.Call.CLAIM),
          Percentiles.of(latencies, Latencies.Call.COMPLETE),
          Percentiles.of(latencies, Latencies.Call.LATENESS));
    }
  }

  /**
   * Cost of a job.
   *
   * @param allocatedBytes bytes allocated by all threads, those of the callers included
   * @param diskBytes size of a closed store with many such jobs waiting in it, over their number
   */
  public record Cost(double allocatedBytes, double diskBytes) {}

  /** Figures of the engine's batches. */
  public record Commits(double jobsPerBatch, double batchesPerSecond, double syncsPerSecond) {}

  /**
   * Wall time of the commit thread for each job, in microseconds.
   *
   * @param writeUs time in the store's writes
   * @param syncUs time in the store's syncs
   * @param restUs time in all else: taking requests up, building batches, answering, waiting for
   *     callers
   */
  public record CommitTime(double writeUs, double syncUs, double restUs) {

    /**
     * Returns the time of one round.
     *
     * @param jobCount the jobs for which the footprint was written
     */
    static CommitTime of(Footprint written, double jobCount, double jobsPerSecond) {
      double writeUs = written.writeNs() / 1e3 / Math.max(1, jobCount);
      double syncUs = written.syncNs() / 1e3 / Math.max(1, jobCount);
      double wholeUs = 1e6 / Math.max(1, jobsPerSecond);
      return new CommitTime(writeUs, syncUs, wholeUs - writeUs - syncUs);
    }

    /** Returns the medians of several rounds, each part for itself. */
    static CommitTime median(List<CommitTime> rounds) {
      return new CommitTime(
          Middle.of(rounds, CommitTime::writeUs).median(),
          Middle.of(rounds, CommitTime::syncUs).median(),
          Middle.of(rounds, CommitTime::restUs).median());
    }
  }

  public boolean isGood() {
    return findings.isEmpty();
  }
}

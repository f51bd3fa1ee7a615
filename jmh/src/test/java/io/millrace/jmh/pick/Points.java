package io.millrace.jmh.pick;

import io.millrace.api.Durability;
import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.LoadResult.Percentiles;
import io.millrace.jmh.load.LoadResult.Rate;
import io.millrace.jmh.load.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Points that nobody has measured. */
public final class Points {

  /** The rate of the plain log on a quiet machine. */
  static final double FLOOR = 4_000;

  private Points() {}

  public static Point of(String store, int payloadBytes, double rate) {
    return of(store, payloadBytes, rate, 0, 300);
  }

  static Point of(String store, int payloadBytes, double rate, double spread, double disk) {
    return new Point(store, payloadBytes, 8, result(rate, FLOOR, spread, disk, List.of()));
  }

  static LoadResult result(
      double rate, double floor, double spread, double disk, List<String> findings) {
    Percentiles percentiles = new Percentiles(100, 400, 900);
    LoadOptions options =
        new LoadOptions(
            Workload.CYCLE,
            "any",
            Durability.SYNCED,
            new Callers(8, 8, 1, 0),
            256,
            0,
            Queues.SINGLE,
            new LoadOptions.Timing(Duration.ofSeconds(1), 1, 0),
            Path.of("."));
    return new LoadResult(
        options,
        new Rate(rate, 1, spread, rate, rate),
        new Rate(rate, 1, 0, rate, rate),
        new Rate(floor, rate / floor, 0, floor, floor),
        new Rate(floor, rate / floor, 0, floor, floor),
        new LoadResult.Latency(percentiles, percentiles, percentiles, percentiles),
        new LoadResult.Cost(1_000, disk),
        new LoadResult.Commits(8, 100, 100),
        new LoadResult.CommitTime(1, 2, 3),
        findings);
  }
}

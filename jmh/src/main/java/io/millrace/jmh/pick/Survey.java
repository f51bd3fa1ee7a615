package io.millrace.jmh.pick;

import io.millrace.jmh.load.LoadOptions;
import io.millrace.jmh.load.LoadOptions.Callers;
import io.millrace.jmh.load.LoadOptions.Queues;
import io.millrace.jmh.load.LoadResult;
import io.millrace.jmh.load.LoadRun;
import io.millrace.jmh.load.Progress;
import io.millrace.jmh.load.Workload;
import io.millrace.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A survey that measures every store at the wished place, and from there along payloads and along
 * callers.
 */
public final class Survey {

  private static final int[] PAYLOADS = {64, 256, 4_096, 65_536};
  private static final int[] CALLERS = {1, 8, 64};

  /** The number of rounds in which each point is measured. */
  public static final int ROUND_COUNT = 3;

  private final SortedMap<String, StoreFactory> stores;
  private final Wish wish;
  private final Duration length;
  private final Path folder;

  /**
   * Creates a survey, which has not started.
   *
   * @param length how long to measure each point
   */
  public Survey(SortedMap<String, StoreFactory> stores, Wish wish, Duration length, Path folder) {
    this.stores = stores;
    this.wish = wish;
    this.length = length;
    this.folder = folder;
  }

  /** Measures all points. Those of all stores at one place follow each other. */
  public List<Point> run(Progress progress) {
    List<Point> points = new ArrayList<>();
    for (int payloadBytes : with(PAYLOADS, wish.payloadBytes())) {
      for (Map.Entry<String, StoreFactory> store : stores.entrySet()) {
        points.add(point(store, payloadBytes, wish.callerCount(), progress));
      }
    }
    for (int callerCount : with(CALLERS, wish.callerCount())) {
      if (callerCount != wish.callerCount()) {
        for (Map.Entry<String, StoreFactory> store : stores.entrySet()) {
          points.add(point(store, wish.payloadBytes(), callerCount, progress));
        }
      }
    }
    return points;
  }

  private static SortedSet<Integer> with(int[] steps, int wished) {
    SortedSet<Integer> all = new TreeSet<>(IntStream.of(steps).boxed().toList());
    all.add(wished);
    return all;
  }

  private Point point(
      Map.Entry<String, StoreFactory> measured,
      int payloadBytes,
      int callerCount,
      Progress progress) {
    String store = measured.getKey();
    progress.begin("%s, %,d B, %d callers".formatted(store, payloadBytes, callerCount));
    LoadResult cycle =
        new LoadRun(options(store, payloadBytes, callerCount), measured.getValue(), progress).run();
    return new Point(store, payloadBytes, callerCount, cycle);
  }

  private LoadOptions options(String store, int payloadBytes, int callerCount) {
    return new LoadOptions(
        Workload.CYCLE,
        store,
        wish.durability(),
        new Callers(callerCount, callerCount, 1, 0),
        payloadBytes,
        0,
        Queues.SINGLE,
        new LoadOptions.Timing(length, ROUND_COUNT, 0),
        folder);
  }
}

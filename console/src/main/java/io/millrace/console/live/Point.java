package io.millrace.console.live;

import io.millrace.describe.Description;
import io.millrace.describe.Kind;
import java.time.Instant;
import java.util.Optional;

/**
 * The figures of a store: of what it did in a few seconds, and of their end. Rates are of a second.
 *
 * @param failed attempts that failed or outlived their lease, and will be tried again
 * @param times empty if the console is not told of jobs
 */
public record Point(
    Instant at,
    double enqueued,
    double completed,
    double failed,
    double died,
    Depths depths,
    Optional<Times> times) {

  /**
   * Jobs by state.
   *
   * @param waiting those that are blocked, or wait for a signal
   * @param oldestReadyMs how long the oldest ready job has been so, in milliseconds
   */
  public record Depths(
      long ready, long delayed, long leased, long waiting, long dead, long oldestReadyMs) {}

  /**
   * The times of jobs, in microseconds.
   *
   * @param waitP50Us how long jobs were ready before they were claimed
   * @param runP50Us how long attempts lasted
   */
  public record Times(long waitP50Us, long waitP99Us, long runP50Us, long runP99Us) {}

  private static final Description<Depths> DEPTHS =
      Description.<Depths>of(Depths.class)
          .with("ready", Kind.LONG, Depths::ready)
          .with("delayed", Kind.LONG, Depths::delayed)
          .with("leased", Kind.LONG, Depths::leased)
          .with("waiting", Kind.LONG, Depths::waiting)
          .with("dead", Kind.LONG, Depths::dead)
          .with("oldestReadyMs", Kind.LONG, Depths::oldestReadyMs)
          .build();

  private static final Description<Times> TIMES =
      Description.<Times>of(Times.class)
          .with("waitP50Us", Kind.LONG, Times::waitP50Us)
          .with("waitP99Us", Kind.LONG, Times::waitP99Us)
          .with("runP50Us", Kind.LONG, Times::runP50Us)
          .with("runP99Us", Kind.LONG, Times::runP99Us)
          .build();

  public static final Description<Point> DESCRIPTION =
      Description.<Point>of(Point.class)
          .with("at", Kind.INSTANT, Point::at)
          .with("enqueued", Kind.DOUBLE, Point::enqueued)
          .with("completed", Kind.DOUBLE, Point::completed)
          .with("failed", Kind.DOUBLE, Point::failed)
          .with("died", Kind.DOUBLE, Point::died)
          .with("depths", DEPTHS.spread(), Point::depths)
          .maybe("times", TIMES.spread(), Point::times)
          .build();
}

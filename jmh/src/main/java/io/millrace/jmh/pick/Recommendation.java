package io.millrace.jmh.pick;

import io.millrace.api.Durability;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which store to take, and why, in sentences.
 *
 * <p>The fastest at the wished place wins, in parts of the plain log of the same rounds. Stores
 * whose difference is smaller than what the machine's noise was in the same rounds count as equally
 * fast, and then the one with fewer bytes on disk wins. A store that keeps nothing is measured for
 * comparison and never recommended; nor is one that lost or doubled a job.
 *
 * @param store the winner; empty if there is none
 * @param sentences what there is to say, the choice first
 */
public record Recommendation(Optional<String> store, List<String> sentences) {

  /** Speeds that differ by less are never called different, however quiet the rounds were. */
  static final double NOISE_LEAST = 0.05;

  /** A spread beyond this is worth a warning. */
  static final double NOISE_MUCH = 0.3;

  /** Draws it from the points of a survey. */
  public static Recommendation of(Wish wish, List<Point> points, Set<String> keepingNothing) {
    List<Point> candidates =
        points.stream()
            .filter(point -> point.isAt(wish))
            .filter(point -> !keepingNothing.contains(point.store()))
            .filter(point -> point.cycle().isGood())
            .sorted(Comparator.comparingDouble(Point::speed).reversed())
            .toList();
    List<String> sentences = new ArrayList<>();
    if (candidates.isEmpty()) {
      sentences.add("No store on the class path both keeps its jobs and kept each of them once.");
      return new Recommendation(Optional.empty(), sentences);
    }
    Point fastest = candidates.get(0);
    List<Point> equals =
        candidates.stream().filter(point -> areEquallyFast(fastest, point)).toList();
    Point winner =
        equals.stream().min(Comparator.comparingDouble(Point::diskBytesPerJob)).orElseThrow();
    sentences.add(choice(wish, winner));
    if (winner.cycle().engine().spread() > NOISE_MUCH) {
      sentences.add(noise(winner));
    }
    for (Point other : candidates) {
      if (other != winner) {
        sentences.add(comparison(winner, other));
      }
    }
    if (candidates.size() == 1) {
      sentences.add("It is the only store on the class path that keeps its jobs.");
    }
    sentences.addAll(turningPoints(points, keepingNothing, winner));
    sentences.addAll(failures(points));
    return new Recommendation(Optional.of(winner.store()), List.copyOf(sentences));
  }

  private static boolean areEquallyFast(Point a, Point b) {
    double noise =
        Math.max(
            NOISE_LEAST, Math.max(a.cycle().engine().spread(), b.cycle().engine().spread()) / 2);
    double larger = Math.max(a.speed(), b.speed());
    return Math.abs(a.speed() - b.speed()) <= noise * larger;
  }

  private static String choice(Wish wish, Point winner) {
    return String.format(
        Locale.ROOT,
        "For payloads of %,d B, %d callers and %s calls take %s: here it enqueued, claimed and"
            + " completed %,.0f jobs/s (%.2f of a plain log with the same callers); half of the"
            + " enqueues returned within %.2f ms, 99 of 100 within %.2f ms; a waiting job takes"
            + " %,.0f B on disk.",
        wish.payloadBytes(),
        wish.callerCount(),
        wish.durability() == Durability.SYNCED ? "synced" : "buffered",
        winner.store(),
        winner.jobsPerSecond(),
        winner.cycle().floor().engineRatio(),
        winner.enqueueP50Ms(),
        winner.enqueueP99Ms(),
        winner.diskBytesPerJob());
  }

  private static String noise(Point winner) {
    return String.format(
        Locale.ROOT,
        "The rounds differed by %.0f %%: something else was at work on this machine. Measure again"
            + " when it is quiet, or for longer.",
        100 * winner.cycle().engine().spread());
  }

  private static String comparison(Point winner, Point other) {
    String rate =
        areEquallyFast(winner, other)
            ? "was as fast within the noise of this machine"
            : String.format(
                Locale.ROOT, "did %.2f of that", other.speed() / Math.max(1e-9, winner.speed()));
    return String.format(
        Locale.ROOT,
        "%s %s (%,.0f jobs/s), 99 of 100 enqueues within %.2f ms, %,.0f B on disk.",
        other.store(),
        rate,
        other.jobsPerSecond(),
        other.enqueueP99Ms(),
        other.diskBytesPerJob());
  }

  /** Places along the two lines where another store was faster. */
  private static List<String> turningPoints(
      List<Point> points, Set<String> keepingNothing, Point winner) {
    List<String> sentences = new ArrayList<>();
    for (Point mine : points) {
      if (!mine.store().equals(winner.store())) {
        continue;
      }
      points.stream()
          .filter(point -> !keepingNothing.contains(point.store()) && point.cycle().isGood())
          .filter(point -> point.payloadBytes() == mine.payloadBytes())
          .filter(point -> point.callerCount() == mine.callerCount())
          .filter(point -> point.speed() > mine.speed())
          .filter(point -> !areEquallyFast(point, mine))
          .max(Comparator.comparingDouble(Point::speed))
          .ifPresent(
              faster ->
                  sentences.add(
                      String.format(
                          Locale.ROOT,
                          "With payloads of %,d B and %d callers %s was faster: %,.0f jobs/s"
                              + " against %,.0f.",
                          mine.payloadBytes(),
                          mine.callerCount(),
                          faster.store(),
                          faster.jobsPerSecond(),
                          mine.jobsPerSecond())));
    }
    return sentences;
  }

  private static List<String> failures(List<Point> points) {
    Set<String> failed = new TreeSet<>();
    points.stream()
        .filter(point -> !point.cycle().isGood())
        .forEach(
            point ->
                failed.add(
                    "Do not use %s: %s.".formatted(point.store(), point.cycle().findings())));
    return List.copyOf(failed);
  }
}

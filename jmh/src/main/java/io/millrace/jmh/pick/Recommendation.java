package io.millrace.jmh.pick;

import io.millrace.api.Durability;
import io.millrace.jmh.load.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The choice of a store, and the reasons for it, in sentences.
 *
 * <p>The fastest store at the wished place wins, by the jobs per second that are printed beside it.
 * Stores whose difference is smaller than the machine's noise in their rounds count as equally
 * fast; then the one with fewer bytes on disk wins, and a sentence says why. A store that keeps
 * nothing is measured for comparison and never recommended; nor is one that lost or doubled a job.
 *
 * <p>Stores are measured one after the other, so the machine may have been slower for one of them.
 * The plain log, which ran in the same rounds, shows that: where it would turn the order round, a
 * sentence says so, and the order stays as printed.
 *
 * @param store the winner; empty if there is none
 * @param sentences what there is to say, the choice first
 */
public record Recommendation(Optional<String> store, List<String> sentences) {

  /**
   * The least noise: speeds that differ by less are never called different, however quiet the
   * rounds were.
   */
  static final double NOISE_LEAST = 0.05;

  /**
   * The most noise: of two speeds the one that is less than half of the other is slower, however
   * noisy the rounds were.
   */
  static final double NOISE_MOST = 0.5;

  /** A spread beyond this is worth a warning. */
  static final double NOISE_MUCH = 0.3;

  /** Draws the recommendation from the points of a survey. */
  public static Recommendation of(Wish wish, List<Point> points, Set<String> keepingNothing) {
    List<Point> candidates =
        points.stream()
            .filter(point -> point.isAt(wish))
            .filter(point -> !keepingNothing.contains(point.store()))
            .filter(point -> point.cycle().isGood())
            .sorted(Comparator.comparingDouble(Point::jobsPerSecond).reversed())
            .toList();
    List<String> sentences = new ArrayList<>();
    if (candidates.isEmpty()) {
      sentences.add("No store on the class path both keeps its jobs and kept each of them once.");
      return new Recommendation(Optional.empty(), sentences);
    }
    Point fastest = candidates.get(0);
    double noise = noise(candidates);
    List<Point> equals =
        candidates.stream().filter(point -> areEquallyFast(fastest, point, noise)).toList();
    Point winner =
        equals.stream().min(Comparator.comparingDouble(Point::diskBytesPerJob)).orElseThrow();
    sentences.add(choice(wish, winner));
    if (winner != fastest) {
      sentences.add(lessRoom(winner, fastest));
    }
    if (spread(candidates) > NOISE_MUCH) {
      sentences.add(muchNoise(spread(candidates)));
    }
    for (Point other : candidates) {
      if (other != winner) {
        sentences.add(comparison(winner, other, equals.contains(other)));
      }
    }
    candidates.stream()
        .filter(other -> isTurnedRound(winner, other))
        .forEach(other -> sentences.add(unlikeMachine(winner, other)));
    if (candidates.size() == 1) {
      sentences.add("It is the only store on the class path that keeps its jobs.");
    }
    sentences.addAll(turningPoints(points, keepingNothing, winner));
    sentences.addAll(failures(points));
    return new Recommendation(Optional.of(winner.store()), List.copyOf(sentences));
  }

  private static boolean areEquallyFast(Point a, Point b, double noise) {
    return areWithin(noise, a.jobsPerSecond(), b.jobsPerSecond());
  }

  /**
   * Returns the noise of a place, the same for all stores there: so a store that is not as fast as
   * the fastest is slower than all that are.
   */
  private static double noise(List<Point> points) {
    return noise(spread(points));
  }

  private static double noise(double spread) {
    return Math.min(NOISE_MOST, Math.max(NOISE_LEAST, spread / 2));
  }

  private static double spread(List<Point> points) {
    return points.stream().mapToDouble(point -> point.cycle().engine().spread()).max().orElse(0);
  }

  private static boolean areWithin(double noise, double a, double b) {
    return Math.abs(a - b) <= noise * Math.max(a, b);
  }

  /** Tells whether the slower of the two would be the faster one in parts of the plain log. */
  private static boolean isTurnedRound(Point a, Point b) {
    double noise = noise(Math.max(a.spread(), b.spread()));
    double ofLog = a.cycle().floor().engineRatio();
    double otherOfLog = b.cycle().floor().engineRatio();
    boolean isOther =
        Math.signum(a.jobsPerSecond() - b.jobsPerSecond()) * Math.signum(ofLog - otherOfLog) < 0;
    return isOther
        && !areWithin(noise, ofLog, otherOfLog)
        && !areWithin(noise, a.plainLogJobsPerSecond(), b.plainLogJobsPerSecond());
  }

  private static String unlikeMachine(Point winner, Point other) {
    return String.format(
        Locale.ROOT,
        "The machine was not the same for both: the plain log did %,.0f jobs/s beside %s and %,.0f"
            + " beside %s. Measure again when it is quiet, or for longer.",
        winner.plainLogJobsPerSecond(),
        winner.store(),
        other.plainLogJobsPerSecond(),
        other.store());
  }

  private static String lessRoom(Point winner, Point fastest) {
    return String.format(
        Locale.ROOT,
        "%s did %,.0f jobs/s, which is no more within the noise of this machine, and %s takes less"
            + " room on disk.",
        fastest.store(),
        fastest.jobsPerSecond(),
        winner.store());
  }

  private static String choice(Wish wish, Point winner) {
    return String.format(
        Locale.ROOT,
        "For payloads of %,d B, %d callers and %s calls take %s: here it enqueued, claimed and"
            + " completed %,.0f jobs/s (%s of a plain log with the same callers); half of the"
            + " enqueues returned within %.2f ms, 99 of 100 within %.2f ms; a waiting job takes"
            + " %,.0f B on disk.",
        wish.payloadBytes(),
        wish.callerCount(),
        wish.durability() == Durability.SYNCED ? "synced" : "buffered",
        winner.store(),
        winner.jobsPerSecond(),
        Figures.ratio(winner.cycle().floor().engineRatio()),
        winner.enqueueP50Ms(),
        winner.enqueueP99Ms(),
        winner.diskBytesPerJob());
  }

  private static String muchNoise(double spread) {
    return String.format(
        Locale.ROOT,
        "The rounds differed by %s: something else was at work on this machine. Measure again"
            + " when it is quiet, or for longer.",
        Figures.percent(spread));
  }

  private static String comparison(Point winner, Point other, boolean isEquallyFast) {
    String rate =
        isEquallyFast
            ? "was as fast within the noise of this machine"
            : String.format(
                Locale.ROOT,
                "did %.2f of that",
                other.jobsPerSecond() / Math.max(1e-9, winner.jobsPerSecond()));
    return String.format(
        Locale.ROOT,
        "%s %s (%,.0f jobs/s), 99 of 100 enqueues within %.2f ms, %,.0f B on disk.",
        other.store(),
        rate,
        other.jobsPerSecond(),
        other.enqueueP99Ms(),
        other.diskBytesPerJob());
  }

  /** Returns a sentence for each place along the two lines where another store was faster. */
  private static List<String> turningPoints(
      List<Point> points, Set<String> keepingNothing, Point winner) {
    List<String> sentences = new ArrayList<>();
    for (Point mine : points) {
      if (!mine.store().equals(winner.store()) || mine == winner) {
        continue;
      }
      List<Point> there =
          points.stream()
              .filter(point -> !keepingNothing.contains(point.store()) && point.cycle().isGood())
              .filter(point -> point.payloadBytes() == mine.payloadBytes())
              .filter(point -> point.callerCount() == mine.callerCount())
              .toList();
      there.stream()
          .filter(point -> point.jobsPerSecond() > mine.jobsPerSecond())
          .filter(point -> !areEquallyFast(point, mine, noise(there)))
          .max(Comparator.comparingDouble(Point::jobsPerSecond))
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

package io.millrace.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The instants of a schedule that have had their turn, as stretches of time. Immutable.
 *
 * <p>Mostly there is one stretch, which grows. A clock that leaps ahead, or a time without workers,
 * begins another. So when a clock comes back, it is known which instants have yet to have a turn,
 * and none has two, whatever way time went. Of more than {@value #COUNT_MAX} stretches the two that
 * are nearest to each other become one.
 *
 * @param runs the stretches in order, none touching another
 */
record InstantRuns(List<Run> runs) {

  static final int COUNT_MAX = 8;

  static final InstantRuns NONE = new InstantRuns(List.of());

  /** A stretch from the first instant to the last, both included. */
  record Run(long firstMs, long lastMs) {

    boolean has(long ms) {
      return ms >= firstMs && ms <= lastMs;
    }
  }

  InstantRuns {
    runs = List.copyOf(runs);
  }

  /** Returns the runs in which all instants up to this one have had their turn. */
  static InstantRuns upTo(long lastMs) {
    return new InstantRuns(List.of(new Run(Long.MIN_VALUE, lastMs)));
  }

  boolean has(long ms) {
    return runs.stream().anyMatch(run -> run.has(ms));
  }

  /** Returns the first instant after this time that had no turn. */
  long nextAfter(long ms, Recurrence times) {
    long next = times.nextMs(ms);
    for (Run run : runs) {
      if (run.has(next)) {
        next = times.nextMs(run.lastMs());
      }
    }
    return next;
  }

  /** Adds the instants from the first to the last, with all between them. */
  InstantRuns with(long firstMs, long lastMs, Recurrence times) {
    List<Run> all = new ArrayList<>();
    Run grown = new Run(firstMs, lastMs);
    for (Run run : runs) {
      boolean isBefore = run.lastMs() < firstMs && times.nextMs(run.lastMs()) >= firstMs;
      boolean isBehind = run.firstMs() > lastMs && times.nextMs(lastMs) >= run.firstMs();
      boolean isIn = run.firstMs() <= lastMs && run.lastMs() >= firstMs;
      if (isBefore || isBehind || isIn) {
        grown = joined(run, grown);
      } else {
        all.add(run);
      }
    }
    all.add(grown);
    all.sort(Comparator.comparingLong(Run::firstMs));
    while (all.size() > COUNT_MAX) {
      joinNearest(all);
    }
    return new InstantRuns(all);
  }

  private static Run joined(Run one, Run other) {
    return new Run(
        Math.min(one.firstMs(), other.firstMs()), Math.max(one.lastMs(), other.lastMs()));
  }

  private static void joinNearest(List<Run> all) {
    int nearest = 0;
    for (int i = 1; i < all.size() - 1; i++) {
      if (gap(all, i) < gap(all, nearest)) {
        nearest = i;
      }
    }
    all.set(nearest, joined(all.get(nearest), all.remove(nearest + 1)));
  }

  private static long gap(List<Run> all, int index) {
    return all.get(index + 1).firstMs() - all.get(index).lastMs();
  }

  /**
   * Corrects runs that come from a row with no more than its last instant, if that is later than
   * the given time: only the last instant itself then counts as having had its turn.
   */
  InstantRuns righted(long latestMs) {
    boolean isWrong =
        runs.size() == 1
            && runs.get(0).firstMs() == Long.MIN_VALUE
            && runs.get(0).lastMs() > latestMs;
    return isWrong
        ? new InstantRuns(List.of(new Run(runs.get(0).lastMs(), runs.get(0).lastMs())))
        : this;
  }

  /** Tells whether this is no more than {@link #upTo} returns for the instant. */
  boolean isUpTo(long lastMs) {
    return equals(upTo(lastMs));
  }
}

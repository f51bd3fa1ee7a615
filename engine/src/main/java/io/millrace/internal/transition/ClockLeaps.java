package io.millrace.internal.transition;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The forward leaps of the wall clock that this process has seen.
 *
 * <p>A relative delay runs on the monotonic clock, but what is stored is wall-clock time: a leap
 * makes such jobs look due early. The mover asks here how much was leapt since a delay began, and
 * puts the job off by as much.
 */
public final class ClockLeaps {

  /** How many leaps are remembered; older ones no longer put anything off. */
  private static final int COUNT_MAX = 64;

  private final Deque<Leap> leaps = new ArrayDeque<>();

  private record Leap(long atMs, long gapMs) {}

  /** Engine time went from one value to a later one at once. */
  public void add(long fromMs, long toMs) {
    if (leaps.size() == COUNT_MAX) {
      leaps.removeFirst();
    }
    leaps.addLast(new Leap(fromMs, toMs - fromMs));
  }

  /** How much was leapt since this engine time. */
  public long sinceMs(long baseMs) {
    long sum = 0;
    for (Leap leap : leaps) {
      if (leap.atMs() >= baseMs) {
        sum += leap.gapMs();
      }
    }
    return sum;
  }
}

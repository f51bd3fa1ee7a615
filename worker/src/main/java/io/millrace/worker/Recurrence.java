package io.millrace.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The instants of a schedule, in epoch milliseconds. Immutable. */
sealed interface Recurrence permits CronTimes, PeriodTimes, UnreadableSchedule.Times {

  /** Returns the first instant after this time. */
  long nextMs(long afterMs);

  /** Returns the instants of the same schedule if it begins at this time. */
  Recurrence beginningAt(long ms);

  /**
   * Returns the newest instants of a stretch of time, oldest first. They are found by halving, so
   * that the number of instants in the stretch does not matter.
   */
  default List<Long> newestMs(long afterMs, long untilMs, int most) {
    List<Long> newest = new ArrayList<>();
    long until = untilMs;
    while (newest.size() < most && until > afterMs && nextMs(afterMs) <= until) {
      long before = afterMs; // the next after this one is not after the end
      long behind = until; // the next after this one is
      while (behind - before > 1) {
        long middle = before + (behind - before) / 2;
        if (nextMs(middle) <= until) {
          before = middle;
        } else {
          behind = middle;
        }
      }
      long instant = nextMs(before);
      newest.add(instant);
      until = instant - 1;
    }
    Collections.reverse(newest);
    return newest;
  }
}

package io.millrace.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The instants of a schedule, in epoch milliseconds. Immutable. */
sealed interface Recurrence permits CronTimes, PeriodTimes, UnreadableSchedule.Times {

  /** The first instant after this time. */
  long nextMs(long afterMs);

  /** The same, for a schedule that begins at this time. */
  Recurrence beginningAt(long ms);

  /**
   * The newest instants of a time, oldest first. Found by halving, so that it does not matter how
   * many there are.
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

package io.millrace.internal.state;

import io.millrace.internal.format.DelayedKeys;
import java.util.Arrays;
import java.util.Collection;

/**
 * The place, on each clock, at which the delayed jobs of a queue begin. A job that was moved from
 * there leaves a deleted row, which is not to be looked at again.
 */
public final class NextDelayed {

  private final long[] timesMs = new long[DelayClock.values().length];
  private final long[] births = new long[timesMs.length];

  NextDelayed() {
    load(TimerHead.NEVER);
  }

  /** Forgets all but the time before which no job is due, whatever its clock. */
  void load(long timeMs) {
    Arrays.fill(timesMs, timeMs);
    Arrays.fill(births, 0);
  }

  void set(DelayClock clock, long timeMs, long birth) {
    timesMs[clock.ordinal()] = timeMs;
    births[clock.ordinal()] = birth;
  }

  /**
   * Returns the time of this clock before which no job that waits on it is due; it never comes if
   * none waits.
   */
  public long timeMs(DelayClock clock) {
    return timesMs[clock.ordinal()];
  }

  /** Tells whether all jobs on the clock come after one with this time and birth. */
  public boolean isAfter(DelayClock clock, long timeMs, long birth) {
    int known = Long.compare(timesMs[clock.ordinal()], timeMs);
    return known > 0 || (known == 0 && births[clock.ordinal()] > birth);
  }

  /** Returns the time before which no key of a delayed job lies, whatever its clock. */
  public long earliestMs() {
    return Math.min(timeMs(DelayClock.ENGINE), timeMs(DelayClock.STEADY));
  }

  /** Returns the key, in this queue, before which no job waits on any of the clocks. */
  public byte[] firstKey(int queue, Collection<DelayClock> clocks) {
    return clocks.stream()
        .map(clock -> DelayedKeys.key(queue, timesMs[clock.ordinal()], births[clock.ordinal()]))
        .min(Arrays::compareUnsigned)
        .orElseThrow();
  }

  /** Tells whether a delayed job may be due at these times. */
  public boolean isDue(long engineMs, long steadyMs) {
    return timeMs(DelayClock.ENGINE) <= engineMs || timeMs(DelayClock.STEADY) <= steadyMs;
  }

  /**
   * Returns the engine time before which no delayed job is due, if nobody sets the wall clock until
   * then.
   *
   * @param steadyLeadMs how far steady time is ahead of engine time
   */
  public long dueMs(long steadyLeadMs) {
    long steadyMs = timeMs(DelayClock.STEADY);
    return Math.min(
        timeMs(DelayClock.ENGINE),
        steadyMs == TimerHead.NEVER ? TimerHead.NEVER : steadyMs - steadyLeadMs);
  }
}

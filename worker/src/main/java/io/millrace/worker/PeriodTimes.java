package io.millrace.worker;

import java.time.Duration;

/**
 * Instants that are a period apart; the first comes one period after the beginning. They do not
 * drift, however late anything is done.
 */
record PeriodTimes(long periodMs, long beginMs) implements Recurrence {

  @Override
  public long nextMs(long afterMs) {
    long passed = Math.max(0, Math.floorDiv(afterMs - beginMs, periodMs));
    return beginMs + (passed + 1) * periodMs;
  }

  @Override
  public Recurrence beginningAt(long ms) {
    return new PeriodTimes(periodMs, ms);
  }

  @Override
  public String toString() {
    return "every " + Duration.ofMillis(periodMs);
  }
}

package io.millrace.worker;

import java.time.Duration;

/**
 * Instants that are a period apart. One of them is the beginning, so that the first after it comes
 * a period later. They do not drift, however late anything is done. They also go on before the
 * beginning, since a clock that was ahead at that time may have been set back.
 */
record PeriodTimes(long periodMs, long beginMs) implements Recurrence {

  @Override
  public long nextMs(long afterMs) {
    long passed = Math.floorDiv(afterMs - beginMs, periodMs);
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

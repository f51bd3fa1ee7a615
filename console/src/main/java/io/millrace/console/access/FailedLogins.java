package io.millrace.console.access;

import io.millrace.console.http.RefusedException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The wrong tokens of the last minute, of all visitors together. Any thread may use it. */
final class FailedLogins {

  private static final int COUNT_MAX = 10;
  private static final long LENGTH_NS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier clockNs;
  private long sinceNs;
  private int count;

  FailedLogins(LongSupplier clockNs) {
    this.clockNs = clockNs;
    this.sinceNs = clockNs.getAsLong();
  }

  /**
   * Refuses to try further tokens for a while.
   *
   * @throws RefusedException there were {@value #COUNT_MAX} wrong ones
   */
  synchronized void check() {
    long nowNs = clockNs.getAsLong();
    if (nowNs - sinceNs >= LENGTH_NS) {
      sinceNs = nowNs;
      count = 0;
    }
    if (count >= COUNT_MAX) {
      long leftS = 1 + (LENGTH_NS - (nowNs - sinceNs)) / 1_000_000_000;
      throw new RefusedException(
          429, "too many wrong tokens: count=" + count + "; try again in " + leftS + " s");
    }
  }

  synchronized void add() {
    count++;
  }
}

package io.millrace.jmh.load;

import java.util.concurrent.locks.LockSupport;

/**
 * The pace of a producer: when its calls are due.
 *
 * <p>With a rate, a call's latency counts from the instant at which it was due, not from when it
 * got its turn: a stall is then seen by all the calls that it held up, as it would be by users.
 */
final class Pace {

  private final long intervalNs;
  private long nextNs;

  /** Creates the pace. Without a rate (interval 0) each call is due when it is made. */
  Pace(long intervalNs, long startNs) {
    this.intervalNs = intervalNs;
    this.nextNs = startNs;
  }

  /**
   * Returns the interval between the calls of one producer at the rate of the run; 0 without one.
   */
  static long intervalNs(LoadOptions options) {
    int rate = options.timing().jobsPerSecond();
    if (rate == 0) {
      return 0;
    }
    LoadOptions.Callers callers = options.callers();
    return Math.round(1e9 * callers.producerCount() * callers.batchCount() / rate);
  }

  /** Waits until the next call is due, and returns when that was. */
  long awaitNext() {
    if (intervalNs == 0) {
      return System.nanoTime();
    }
    long dueNs = nextNs;
    nextNs += intervalNs;
    for (long left = dueNs - System.nanoTime(); left > 0; left = dueNs - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return dueNs;
  }
}

package io.millrace.api;

import java.util.concurrent.locks.LockSupport;

/**
 * Where an engine gets its time from, and how its thread waits. Tests bring their own. Any thread
 * may use it.
 */
public interface EngineClock {

  /** The machine's clocks. */
  EngineClock SYSTEM =
      new EngineClock() {
        @Override
        public long epochMs() {
          return System.currentTimeMillis();
        }

        @Override
        public long monotonicNs() {
          return System.nanoTime();
        }

        @Override
        public void parkNs(long durationNs) {
          LockSupport.parkNanos(this, durationNs);
        }
      };

  /** Wall-clock time in milliseconds since 1970; may jump. */
  long epochMs();

  /** Time in nanoseconds from an arbitrary origin; never goes back. Compare by subtraction. */
  long monotonicNs();

  /**
   * Waits until unparked or until the monotonic clock has advanced this far; may return early for
   * no reason.
   */
  void parkNs(long durationNs);
}

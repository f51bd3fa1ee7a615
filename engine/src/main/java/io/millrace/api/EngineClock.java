package io.millrace.api;

import java.util.concurrent.locks.LockSupport;

/**
 * The source of an engine's time, and the way in which its thread waits. Tests bring their own. Any
 * thread may use it.
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

  /** Returns the wall-clock time in milliseconds since 1970. It may jump. */
  long epochMs();

  /**
   * Returns the time in nanoseconds from an arbitrary origin. It never goes back. Compare such
   * times by subtraction.
   */
  long monotonicNs();

  /**
   * Waits until the thread is unparked, or until the monotonic clock has advanced by this duration.
   * It may return early for no reason.
   */
  void parkNs(long durationNs);

  /**
   * Returns the longest time that the engine's thread waits before it looks at the clocks again,
   * because they may jump; one second by default. A clock that only a test moves, and that wakes
   * waiting threads when it moves, may return {@link Long#MAX_VALUE}. Then the argument of {@link
   * #parkNs} tells when the next work is due.
   */
  default long parkMaxNs() {
    return 1_000_000_000L;
  }
}

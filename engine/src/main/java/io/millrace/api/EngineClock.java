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

  /**
   * The longest that the engine's thread waits before it looks at the clocks again, for they may
   * jump: a second unless said. A clock that only a test moves, and that then wakes whoever waits,
   * may say {@link Long#MAX_VALUE}: so it is told by {@link #parkNs} when the next thing is due.
   */
  default long parkMaxNs() {
    return 1_000_000_000L;
  }
}

package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The loop's sleep, which callers end without a lock and at no cost while it is awake.
 *
 * <p>The loop says that it sleeps <i>before</i> its last look for work, and a caller looks whether
 * it sleeps <i>after</i> it has put work there. So whichever comes second sees the other: either
 * the loop finds the work, or the caller wakes it.
 */
final class LoopSleep {

  private final EngineClock clock;
  private final Thread thread;
  private volatile boolean isParked;

  /** The sleep of a thread, which alone may call {@link #sleepUnless}. */
  LoopSleep(EngineClock clock, Thread thread) {
    this.clock = clock;
    this.thread = thread;
  }

  /** Sleeps until somebody wakes it or the time is over; answers false if there was work to do. */
  boolean sleepUnless(BooleanSupplier hasWork, long longestNs) {
    isParked = true;
    try {
      if (hasWork.getAsBoolean()) {
        return false;
      }
      clock.parkNs(longestNs);
      return true;
    } finally {
      isParked = false;
    }
  }

  /** There is work now. For any thread. */
  void wake() {
    if (isParked) {
      LockSupport.unpark(thread);
    }
  }
}

package io.millrace.jmh.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bound of the calls by future that one caller has under way.
 *
 * <p>A caller that has reached the limit sleeps until half of its calls have ended: waking it for
 * each would measure the waking.
 */
final class InFlight {

  private final int countMax;
  private final AtomicInteger count = new AtomicInteger();
  private volatile @Nullable Thread sleeper;
  private volatile int wakeCount;

  InFlight(int countMax) {
    this.countMax = countMax;
  }

  /**
   * Counts a call that begins, and waits for room before if there is none. For the caller's thread.
   */
  void enter() {
    if (count.get() >= countMax) {
      sleepUntil(countMax / 2);
    }
    count.incrementAndGet();
  }

  /** Counts a call that has ended. Any thread. */
  void leave() {
    int left = count.decrementAndGet();
    Thread sleeping = sleeper;
    if (sleeping != null && left <= wakeCount) {
      LockSupport.unpark(sleeping);
    }
  }

  /** Waits until no call is under way. For the caller's thread. */
  void awaitNone() {
    sleepUntil(0);
  }

  private void sleepUntil(int target) {
    wakeCount = target;
    sleeper = Thread.currentThread();
    while (count.get() > target) {
      LockSupport.park(this);
    }
    sleeper = null;
  }
}

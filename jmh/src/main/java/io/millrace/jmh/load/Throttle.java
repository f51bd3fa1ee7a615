package io.millrace.jmh.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A throttle on which callers sleep that have run into a limit, until the others have undone half
 * of it. Waking one of them for each step would measure the waking, and looking again and again
 * would take the processor from those who work.
 *
 * <p>Any thread, also a virtual one: no monitor, in which that would hold its carrier in Java 21.
 */
final class Throttle {

  /** The longest sleep without a look, so that the end of a round is not missed. */
  private static final long SLEEP_MAX_MS = TimeUnit.SECONDS.toMillis(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition swept = lock.newCondition();
  private volatile boolean hasSleepers;
  private long sweepCount;

  /** Sleeps until a sweep, or until there is no reason to. */
  void sleepWhile(BooleanSupplier isReason) {
    lock.lock();
    try {
      long sweep = sweepCount;
      hasSleepers = true;
      while (sweep == sweepCount && isReason.getAsBoolean()) {
        swept.await(SLEEP_MAX_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells whether a caller may be asleep. To be asked after the step that may be reason to wake it.
   */
  boolean hasSleepers() {
    return hasSleepers;
  }

  /** Wakes all callers that sleep. */
  void sweep() {
    lock.lock();
    try {
      hasSleepers = false;
      sweepCount++;
      swept.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

package io.millrace.jmh.load;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A throttle on which callers sleep that have run into a limit, until the others have undone half
 * of it. Waking one of them for each step would measure the waking, and looking again and again
 * would take the processor from those who work.
 *
 * <p>Any thread.
 */
final class Throttle {

  /** The longest sleep without a look, so that the end of a round is not missed. */
  private static final long SLEEP_MAX_MS = TimeUnit.SECONDS.toMillis(1);

  private volatile boolean hasSleepers;
  private long sweepCount;

  /** Sleeps until a sweep, or until there is no reason to. */
  synchronized void sleepWhile(BooleanSupplier isReason) {
    long sweep = sweepCount;
    hasSleepers = true;
    try {
      while (sweep == sweepCount && isReason.getAsBoolean()) {
        wait(SLEEP_MAX_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  /**
   * Tells whether a caller may be asleep. To be asked after the step that may be reason to wake it.
   */
  boolean hasSleepers() {
    return hasSleepers;
  }

  /** Wakes all callers that sleep. */
  synchronized void sweep() {
    hasSleepers = false;
    sweepCount++;
    notifyAll();
  }
}

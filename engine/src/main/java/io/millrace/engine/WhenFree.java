package io.millrace.engine;

import io.millrace.api.EngineClock;
import io.millrace.api.Limits;
import io.millrace.options.Checks;
import io.millrace.spi.StoreException;
import io.millrace.spi.StoreLockedException;
import io.millrace.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.function.Supplier;

/** A wait for a store that somebody else has: it is opened again and again until that works. */
final class WhenFree {

  /**
   * The pause between two attempts. Whoever holds a store says for how long, but may let go of it
   * at any moment, and work stands still from then on.
   */
  static final Duration PAUSE = Duration.ofMillis(100);

  private WhenFree() {}

  /**
   * Opens as soon as the store is free and can be reached.
   *
   * @throws StoreException the last attempt's, when the time is over or the thread is interrupted;
   *     at once if it does not say that somebody has the store or that it cannot be reached
   */
  static <T> T opened(Supplier<T> opening, EngineClock clock, Duration atMost) {
    Checks.inRange("atMost", atMost, Duration.ZERO, Limits.DELAY_MAX);
    long begunNs = clock.monotonicNs();
    while (true) {
      try {
        return opening.get();
      } catch (StoreLockedException | StoreUnavailableException e) {
        long leftNs = atMost.toNanos() - (clock.monotonicNs() - begunNs);
        if (leftNs <= 0 || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        clock.parkNs(Math.min(PAUSE.toNanos(), leftNs));
      }
    }
  }
}

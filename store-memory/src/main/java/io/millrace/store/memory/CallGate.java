package io.millrace.store.memory;

import io.millrace.spi.StoreClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls under way, so that closing refuses new ones and waits for those. Thread-safe.
 */
final class CallGate {

  private static final int CLOSING = Integer.MIN_VALUE;

  /** How many calls are inside, with the sign bit set once the gate closes. */
  private final AtomicInteger calls = new AtomicInteger();

  private final CountDownLatch drained = new CountDownLatch(1);

  /** Every enter that returns is followed by one {@link #exit}. */
  void enter() {
    if (calls.incrementAndGet() < 0) {
      exit();
      throw new StoreClosedException("the store is closed");
    }
  }

  void exit() {
    if (calls.decrementAndGet() == CLOSING) {
      drained.countDown();
    }
  }

  /**
   * Refuses new calls and waits for those inside, also when interrupted: the flag is set again
   * afterwards.
   */
  void close() {
    int before = calls.getAndUpdate(count -> count | CLOSING);
    if (before == 0) {
      drained.countDown();
    }
    boolean interrupted = false;
    while (true) {
      try {
        drained.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.millrace.store.lmdb;

import io.millrace.spi.StoreClosedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the calls that are inside native code, and closes behind the last: freed memory is never
 * touched.
 *
 * <p>The count and the closing flag are one number, so that no call slips in between the check and
 * the count.
 */
final class Gate {

  private static final int CLOSING = Integer.MIN_VALUE;
  private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicInteger state = new AtomicInteger();

  /**
   * Lets a call in; {@link #exit} must follow.
   *
   * @throws StoreClosedException the gate is closing; the call must not go on
   */
  void enter() {
    if (!tryEnter()) {
      throw new StoreClosedException("store is closed");
    }
  }

  /** Lets a call in, or answers false if the gate is closing. */
  boolean tryEnter() {
    if (state.incrementAndGet() < 0) {
      state.decrementAndGet();
      return false;
    }
    return true;
  }

  void exit() {
    state.decrementAndGet();
  }

  /** Lets nobody in any more; true for the one caller that closed the gate. */
  boolean close() {
    return (state.getAndUpdate(s -> s | CLOSING) & CLOSING) == 0;
  }

  boolean isClosed() {
    return state.get() < 0;
  }

  /**
   * Waits until everybody is out, through interrupts; false if some call is still inside after the
   * time.
   */
  boolean awaitEmpty(long timeoutNs) {
    long deadline = System.nanoTime() + timeoutNs;
    boolean interrupted = false;
    while (state.get() != CLOSING && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, CHECK_NS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return state.get() == CLOSING;
  }
}

package io.millrace.spi.folder;

import io.millrace.spi.StoreClosedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the calls that are inside a store, and closes behind the last: freed native memory is
 * never touched.
 *
 * <p>The count and the flags are one number, so that no call slips in between the check and the
 * count. Who closes waits for the others as long as it likes, and frees what they worked on; or
 * leaves that to the last of them.
 *
 * <p>Thread-safe.
 */
public final class CallGate {

  private static final int CLOSING = Integer.MIN_VALUE;

  /** Who closed has gone: the last one out does the rest. */
  private static final int LEFT_TO_LAST = 1 << 30;

  private static final int ALL_OUT = CLOSING | LEFT_TO_LAST;
  private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicInteger state = new AtomicInteger();

  /** Set before the flag that makes others look at it. */
  private Runnable rest = () -> {};

  /** An open gate, with nobody inside. */
  public CallGate() {}

  /**
   * Lets a call in; {@link #exit} must follow.
   *
   * @throws StoreClosedException the gate is closing; the call must not go on
   */
  public void enter() {
    if (!tryEnter()) {
      throw new StoreClosedException("store is closed");
    }
  }

  /** Lets a call in, or answers false if the gate is closing. */
  public boolean tryEnter() {
    if (state.incrementAndGet() < 0) {
      // It may be the last out, too: it was counted when the last that was let in left.
      exit();
      return false;
    }
    return true;
  }

  /** Lets a call out, which does what was left to the last one if it is that. */
  public void exit() {
    if (state.decrementAndGet() == ALL_OUT) {
      finishOnce();
    }
  }

  /** Lets nobody in any more; true for the one caller that closed the gate. */
  public boolean close() {
    return (state.getAndUpdate(s -> s | CLOSING) & CLOSING) == 0;
  }

  /** Lets calls in again after a close; only for who closed it, while nothing is freed. */
  public void open() {
    state.getAndUpdate(s -> s & ~CLOSING);
  }

  public boolean isClosed() {
    return state.get() < 0;
  }

  /**
   * Leaves the rest to the last call that gets out, on whose thread it runs, once; at once on this
   * one if all are out. Only for who closed the gate. What it throws reaches that call.
   */
  public void leaveToLast(Runnable rest) {
    this.rest = rest;
    if (state.updateAndGet(s -> s | LEFT_TO_LAST) == ALL_OUT) {
      finishOnce();
    }
  }

  private void finishOnce() {
    if (state.compareAndSet(ALL_OUT, CLOSING)) {
      rest.run();
    }
  }

  /**
   * Waits until everybody is out, through interrupts; false if some call is still inside after the
   * time.
   */
  public boolean awaitEmpty(long timeoutNs) {
    long deadline = System.nanoTime() + timeoutNs;
    boolean interrupted = false;
    // Seen empty once is empty for good; a second look might meet a call that is being refused.
    boolean isEmpty = state.get() == CLOSING;
    while (!isEmpty && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, CHECK_NS);
      interrupted |= Thread.interrupted();
      isEmpty = state.get() == CLOSING;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return isEmpty;
  }
}

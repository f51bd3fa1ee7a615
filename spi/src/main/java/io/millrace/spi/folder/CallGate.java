package io.millrace.spi.folder;

import io.millrace.spi.StoreClosedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A gate that counts the calls inside a store, and closes behind the last: freed native memory is
 * never touched.
 *
 * <p>The count and the flags are one number, so that no call slips in between the check and the
 * count. The closer waits for the calls inside as long as it likes, and frees what they worked on;
 * or leaves that to the last of them.
 *
 * <p>Thread-safe.
 */
public final class CallGate {

  private static final int CLOSING = Integer.MIN_VALUE;

  /** The flag of a gate whose closer has gone: the last call out does the rest. */
  private static final int LEFT_TO_LAST = 1 << 30;

  private static final int ALL_OUT = CLOSING | LEFT_TO_LAST;
  private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicInteger state = new AtomicInteger();

  /** The work left to the last call out. Set before the flag that makes others look at it. */
  private Runnable rest = () -> {};

  /** Creates an open gate with no call inside. */
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

  /** Lets a call in, or returns false if the gate is closing. */
  public boolean tryEnter() {
    if (state.incrementAndGet() < 0) {
      // It may be the last out, too: it was counted when the last that was let in left.
      exit();
      return false;
    }
    return true;
  }

  /** Lets a call out. If it is the last one, it does the work that was left to the last. */
  public void exit() {
    if (state.decrementAndGet() == ALL_OUT) {
      finishOnce();
    }
  }

  /**
   * Closes the gate, so that no further call gets in. Returns true for the one caller that closed
   * it.
   */
  public boolean close() {
    return (state.getAndUpdate(s -> s | CLOSING) & CLOSING) == 0;
  }

  /** Lets calls in again after a close. Only for the closer, while nothing has been freed. */
  public void open() {
    state.getAndUpdate(s -> s & ~CLOSING);
  }

  public boolean isClosed() {
    return state.get() < 0;
  }

  /**
   * Leaves work to the last call that gets out, on whose thread it runs, once. Runs the work at
   * once on this thread if all calls are out. Only for the closer. An exception from the work
   * reaches that call.
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
   * Waits until all calls are out, through interrupts. Returns false if a call is still inside
   * after the time.
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

package io.millrace.model.rig;

import io.millrace.api.EngineClock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>No wake-up is lost: a thread whose last reading is no longer true does not park, and every
 * movement unparks all that do. Any thread may use it.
 */
public final class ManualClock implements EngineClock {

  private static final long NS_PER_MS = 1_000_000;
  private static final long WAIT_SECONDS_MAX = 20;

  /** What a thread has read since the clock last moved: a stale reading must not be slept on. */
  private final ThreadLocal<long[]> movementsSeen =
      ThreadLocal.withInitial(() -> new long[] {-1, -1});

  /** The movement up to which each parked thread has seen the clock. */
  private final Map<Thread, Long> parked = new HashMap<>();

  private long movements;
  private long wallMs;
  private long monotonicNs;

  public ManualClock(long wallMs, long monotonicNs) {
    this.wallMs = wallMs;
    this.monotonicNs = monotonicNs;
  }

  /** Starts on an ordinary day, with the monotonic clock close to where its sign turns over. */
  public static ManualClock start() {
    return new ManualClock(1_700_000_000_000L, Long.MAX_VALUE - 5_000 * NS_PER_MS);
  }

  @Override
  public synchronized long epochMs() {
    movementsSeen.get()[0] = movements;
    return wallMs;
  }

  @Override
  public synchronized long monotonicNs() {
    movementsSeen.get()[1] = movements;
    return monotonicNs;
  }

  @Override
  public void parkNs(long durationNs) {
    if (durationNs <= 0 || !enter()) {
      return;
    }
    try {
      LockSupport.park(this);
    } finally {
      leave();
    }
  }

  /** Lets both clocks go on by this many milliseconds. */
  public synchronized void advanceMs(long ms) {
    wallMs += ms;
    monotonicNs += ms * NS_PER_MS;
    wake();
  }

  /** Sets the wall clock forward or back; the monotonic clock stays. */
  public synchronized void stepWallMs(long ms) {
    wallMs += ms;
    wake();
  }

  /**
   * Waits until a thread that has seen the clock as it is sleeps: it has done, by itself, all that
   * was due.
   */
  public synchronized void awaitSleeper() {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (!parked.containsValue(movements)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        throw new AssertionError("nobody sleeps " + WAIT_SECONDS_MAX + " s after a movement");
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        throw new IllegalStateException("the test was interrupted", e);
      }
    }
  }

  private synchronized boolean enter() {
    long[] seen = movementsSeen.get();
    boolean isUpToDate = seen[1] == movements && (seen[0] == movements || seen[0] == -1);
    if (isUpToDate) {
      parked.put(Thread.currentThread(), movements);
      notifyAll();
    }
    return isUpToDate;
  }

  private synchronized void leave() {
    parked.remove(Thread.currentThread());
  }

  private void wake() {
    movements++;
    parked.keySet().forEach(LockSupport::unpark);
  }
}

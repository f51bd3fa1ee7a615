package io.millrace.test;

import io.millrace.api.EngineClock;
import io.millrace.options.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until the test moves it, and that knows whether the engine's loop has
 * done all that is due: then the loop sleeps, and has said for how long it need not be woken.
 *
 * <p>No wake-up is lost: the loop does not sleep on a reading that is out of date, and every
 * movement wakes it. The clock of one engine; any thread may read it.
 */
final class TestClock implements EngineClock {

  private static final long NS_PER_MS = 1_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * The spins before waiting: the loop is often at rest within some microseconds, and being woken
   * takes longer.
   */
  private static final int SPINS = 100;

  private final long startMs;

  /** The number of the movement after which each thread has read the clock last. */
  private final ThreadLocal<Long> readAt = ThreadLocal.withInitial(() -> -1L);

  private long movements;
  private long nowNs;
  private @Nullable Thread sleeper;

  /** The number of the movement after which the loop is asleep; -1 while it is awake. */
  private volatile long sleepsAt = -1;

  private long dueNs;

  /** The loop, while it is opening its store again. */
  private @Nullable Thread reopening;

  TestClock(Instant start) {
    this.startMs = Checks.instant("start", start).toEpochMilli();
  }

  @Override
  public synchronized long epochMs() {
    return startMs + nowNs / NS_PER_MS;
  }

  /**
   * Returns the time since the start. Waits while the store is being opened again: every thread
   * reads this clock before it asks the engine for something.
   */
  @Override
  public synchronized long monotonicNs() {
    if (reopening != Thread.currentThread()) {
      awaitReopened();
    }
    readAt.set(movements);
    return nowNs;
  }

  /** Returns the longest time: the loop need not look at a clock that stands still. */
  @Override
  public long parkMaxNs() {
    return Long.MAX_VALUE;
  }

  @Override
  public void parkNs(long durationNs) {
    if (durationNs <= 0 || !fallAsleep(durationNs)) {
      return;
    }
    try {
      LockSupport.park(this);
    } finally {
      wakeUp();
    }
  }

  private synchronized boolean fallAsleep(long durationNs) {
    if (readAt.get() != movements) {
      return false;
    }
    sleeper = Thread.currentThread();
    sleepsAt = movements;
    dueNs = durationNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + durationNs;
    reopening = null;
    notifyAll();
    return true;
  }

  private synchronized void wakeUp() {
    sleeper = null;
    sleepsAt = -1;
  }

  Instant now() {
    return Instant.ofEpochMilli(epochMs());
  }

  /**
   * Returns the reading of this clock at an instant, in whole milliseconds, by which the engine
   * tells time.
   */
  long ns(Instant instant) {
    Instant latest = Instant.ofEpochMilli(startMs).plus(TestEngine.TIME_MAX);
    if (instant.isAfter(latest)) {
      throw new IllegalArgumentException(
          "the clock goes no further from its start; begin a later test engine: value="
              + instant
              + ", most="
              + latest);
    }
    return (instant.toEpochMilli() - startMs) * NS_PER_MS;
  }

  synchronized long nowNs() {
    return nowNs;
  }

  /** Shows this time from now on, and wakes the loop. */
  synchronized void moveTo(long ns) {
    nowNs = ns;
    movements++;
    sleepsAt = -1;
    LockSupport.unpark(sleeper);
  }

  /**
   * Waits until the loop has done all that is due by now.
   *
   * @return when the next thing is due, in whole milliseconds; {@link Long#MAX_VALUE} for never
   */
  long awaitIdle() {
    for (int i = 0; i < SPINS && sleepsAt < 0; i++) {
      Thread.onSpinWait();
    }
    return idleUntil();
  }

  private synchronized long idleUntil() {
    await(() -> sleepsAt == movements, "does not come to rest");
    return dueNs > Long.MAX_VALUE - NS_PER_MS
        ? Long.MAX_VALUE
        : (dueNs + NS_PER_MS - 1) / NS_PER_MS * NS_PER_MS;
  }

  /**
   * Notes that the store has failed, and that the calling loop is about to open it again. Until it
   * has done so, callers of the engine wait.
   */
  synchronized void reopening() {
    reopening = Thread.currentThread();
  }

  /** Waits until the engine works again. */
  synchronized void awaitReopened() {
    await(() -> reopening == null, "does not open its store again");
  }

  private interface Condition {
    boolean isTrue();
  }

  private synchronized void await(Condition condition, String otherwise) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    boolean wasInterrupted = false;
    while (!condition.isTrue()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        throw new AssertionError("the engine " + otherwise + ": waited=" + PATIENCE);
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        wasInterrupted = true; // a handler that is to stop; the engine's rest is near all the same
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

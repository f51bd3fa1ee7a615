package io.millrace.model.seeds;

import io.millrace.api.EngineClock;
import io.millrace.engine.GivenAnswers;
import io.millrace.engine.JobEngine;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is moved, and by which an engine's commit loop and the thread
 * that drives the test take turns.
 *
 * <p>The loop sleeps on its clock when it has nothing to do, and here it sleeps until {@link
 * #letLoopWork}, whatever wakes it. So the driver decides what the loop finds when it looks, and
 * the loop is always seen at rest: nothing hangs on which thread is faster. A {@link Caller} who
 * looks at the clock while the loop works is kept waiting, since no call is made without such a
 * look.
 */
public final class TurnClock implements EngineClock {

  private static final long NS_PER_MS = 1_000_000;
  private static final long WAIT_NS_MAX = TimeUnit.SECONDS.toNanos(60);
  private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long START_WALL_MS = 1_700_000_000_000L;

  /** Close to where its sign turns over. */
  private static final long START_NS = Long.MAX_VALUE - 5_000 * NS_PER_MS;

  private final Thread driver;
  private volatile long passedMs;
  private volatile @Nullable Thread loop;
  private volatile boolean isAsleep;
  private volatile boolean mayWork;
  private volatile @Nullable JobEngine engine;

  /** A clock whose driver is the calling thread. */
  public TurnClock() {
    this.driver = Thread.currentThread();
  }

  /** How far it was moved, altogether. */
  public long passedMs() {
    return passedMs;
  }

  /** Moves it, and wakes nobody. For whoever's turn it is. */
  public void move(long ms) {
    passedMs = passedMs + ms;
  }

  @Override
  public long epochMs() {
    look();
    return START_WALL_MS + passedMs;
  }

  @Override
  public long monotonicNs() {
    look();
    return START_NS + passedMs * NS_PER_MS;
  }

  @Override
  public void parkNs(long durationNs) {
    if (durationNs <= 0) {
      return;
    }
    if (Thread.currentThread() != loop) {
      throw new AssertionError("only the loop may sleep: " + Thread.currentThread());
    }
    awaitAnswers();
    isAsleep = true;
    LockSupport.unpark(driver);
    while (!mayWork) {
      LockSupport.park(this);
    }
    mayWork = false;
  }

  /** The first who looks and is neither driver nor caller is the loop that was just started. */
  private void look() {
    Thread self = Thread.currentThread();
    if (self == driver) {
      return;
    }
    awaitAnswers();
    if (self instanceof Caller) {
      awaitLoopAtRest();
    } else if (loop == null) {
      isAsleep = false;
      loop = self;
    }
  }

  /** The engine whose loop this is: from now on its answers are given before the loop goes on. */
  void answersOf(JobEngine opened) {
    engine = opened;
  }

  /**
   * If this is the loop: waits until the answers are given that it has told, so that nothing hangs
   * on which thread is faster.
   */
  void awaitAnswers() {
    JobEngine opened = engine;
    if (opened != null && Thread.currentThread() == loop) {
      GivenAnswers.await(opened);
    }
  }

  /** Whether there is a loop and it is not at rest. */
  boolean isLoopAtWork() {
    return loop != null && !isAsleep;
  }

  /** Lets the loop work until it has nothing left to do. For the driver. */
  void letLoopWork() {
    letLoopWorkUnless(() -> false);
  }

  /** As {@link #letLoopWork}, or until it is known otherwise that the loop has ended. */
  void letLoopWorkUnless(BooleanSupplier hasEnded) {
    isAsleep = false;
    mayWork = true;
    LockSupport.unpark(loop);
    awaitLoopAtRest(hasEnded);
  }

  /** Waits until the loop sleeps or is no more. */
  void awaitLoopAtRest() {
    awaitLoopAtRest(() -> false);
  }

  private void awaitLoopAtRest(BooleanSupplier hasEnded) {
    long beganNs = System.nanoTime();
    for (Thread working = loop; working != null && !isAsleep; working = loop) {
      if (hasEnded.getAsBoolean() || !working.isAlive()) {
        return;
      }
      if (Thread.currentThread() == driver) {
        LockSupport.parkNanos(this, LOOK_AGAIN_NS);
      } else {
        Thread.yield();
      }
      if (System.nanoTime() - beganNs > WAIT_NS_MAX) {
        throw stuck(working);
      }
    }
  }

  private static AssertionError stuck(Thread thread) {
    AssertionError error = new AssertionError("the loop does not come to rest");
    error.setStackTrace(thread.getStackTrace());
    return error;
  }

  /** The loop has ended, or there was none: the next that looks is another one. */
  void forgetLoop() {
    engine = null;
    loop = null;
    isAsleep = false;
  }
}

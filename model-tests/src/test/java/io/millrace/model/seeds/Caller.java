package io.millrace.model.seeds;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that makes blocking calls for the driver, one at a time, so that the driver can see when
 * the call waits for its answer. For one driver.
 */
public final class Caller extends Thread {

  private static final long WAIT_NS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final Thread driver;
  private volatile @Nullable Runnable task;
  private volatile boolean isOver;
  private @Nullable Object lastWait;

  /** A thread that has started and has nothing to do; its driver is the calling thread. */
  public static Caller started() {
    Caller caller = new Caller();
    caller.setDaemon(true);
    caller.start();
    return caller;
  }

  private Caller() {
    super("caller");
    this.driver = Thread.currentThread();
  }

  @Override
  public void run() {
    while (!isOver) {
      Runnable next = task;
      if (next == null) {
        LockSupport.park();
      } else {
        next.run();
        task = null;
        LockSupport.unpark(driver);
      }
    }
  }

  /** Begins a call and waits until it is over or waits for an answer that it did not have yet. */
  <T> CompletableFuture<T> begin(Supplier<T> call) {
    CompletableFuture<T> future = new CompletableFuture<>();
    lastWait = null;
    task =
        () -> {
          try {
            future.complete(call.get());
          } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
          }
        };
    LockSupport.unpark(this);
    awaitSettled();
    return future;
  }

  boolean isBusy() {
    return task != null;
  }

  /**
   * Waits until the call is over or waits for another answer than when this was last asked; answers
   * whether it waits.
   */
  boolean awaitSettled() {
    long beganNs = System.nanoTime();
    while (isBusy()) {
      Object wait = LockSupport.getBlocker(this);
      if (wait != null && wait != lastWait) {
        lastWait = wait;
        return true;
      }
      Thread.yield();
      if (System.nanoTime() - beganNs > WAIT_NS_MAX) {
        AssertionError error = new AssertionError("a call neither ends nor waits");
        error.setStackTrace(getStackTrace());
        throw error;
      }
    }
    return false;
  }

  /** Ends the thread, which must have nothing to do. */
  public void end() {
    isOver = true;
    LockSupport.unpark(this);
  }
}

package io.millrace.model.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting, in real time, for what other threads are about to do. */
public final class Await {

  /** Enough for much work on a slow machine. */
  private static final int WAIT_SECONDS_MAX = 60;

  private static final long PAUSE_NS = 100_000;

  private Await() {}

  /** Waits until the condition holds; fails if it never does. */
  public static void until(String what, BooleanSupplier condition) {
    until(what, condition, WAIT_SECONDS_MAX);
  }

  /** As {@link #until(String, BooleanSupplier)}, for so long at most. */
  public static void until(String what, BooleanSupplier condition, int secondsMax) {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("waited too long until " + what).isNegative();
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Has another do this, and waits: what the function of a transaction may not do itself. */
  public static void another(Runnable work) {
    join(CompletableFuture.runAsync(work, task -> new Thread(task).start()));
  }

  /** The future's result, or the exception that it failed with. */
  public static <T> T join(CompletableFuture<T> future) {
    return join(future, WAIT_SECONDS_MAX);
  }

  /** As {@link #join(CompletableFuture)}, for so long at most. */
  public static <T> T join(CompletableFuture<T> future, int secondsMax) {
    try {
      return future.get(secondsMax, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError("the request failed", e.getCause());
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("no answer", e);
    }
  }
}

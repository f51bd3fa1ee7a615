package io.millrace.engine;

import io.millrace.api.JobListening;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets a test wait until a job listener was told all that the commit loop has handed over. */
public final class GivenEvents {

  private static final long WAIT_SECONDS_MAX = 60;
  private static final long PAUSE_NS = 100_000;

  private GivenEvents() {}

  /** Waits until nothing more is to be told. */
  public static void await(JobListening listening) {
    ListenerThread thread = (ListenerThread) listening;
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (!thread.isIdle() && !thread.isOver()) {
      if (System.nanoTime() - endNs >= 0) {
        throw new AssertionError("events are not told");
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Whether the listener's thread has ended. */
  public static boolean isOver(JobListening listening) {
    return ((ListenerThread) listening).isOver();
  }
}

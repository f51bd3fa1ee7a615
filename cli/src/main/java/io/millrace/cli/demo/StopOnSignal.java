package io.millrace.cli.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and SIGTERM into a {@link Stop}, and holds the end of the process back until the
 * demo has stopped.
 */
final class StopOnSignal implements AutoCloseable {

  private static final int GRACE_SECONDS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  StopOnSignal(Stop stop) {
    hook = new Thread(() -> stopAndWait(stop), "demo-stop");
  }

  /** From now on until closed. */
  void listen() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stopAndWait(Stop stop) {
    stop.request();
    try {
      finished.await(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says that the demo has stopped. */
  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook with it.
    }
  }
}

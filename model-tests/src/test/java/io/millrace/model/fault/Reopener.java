package io.millrace.model.fault;

import io.millrace.MillraceException;
import io.millrace.engine.JobEngine;
import java.util.concurrent.TimeUnit;

/** An operator who reopens an engine whenever it is poisoned, until that works. */
final class Reopener implements AutoCloseable {

  private static final long WAIT_SECONDS_MAX = 30;

  private final JobEngine engine;
  private final Thread thread = new Thread(this::run, "reopener");
  private volatile int count;
  private volatile boolean isStopping;

  Reopener(JobEngine engine) {
    this.engine = engine;
    thread.setDaemon(true);
    thread.start();
  }

  /** How often the engine was well again after a poisoning. */
  int count() {
    return count;
  }

  private void run() {
    while (!isStopping) {
      if (engine.poison().isPresent() && isReopened()) {
        count++;
      }
      Load.pause(1);
    }
  }

  private boolean isReopened() {
    try {
      engine.reopen();
      return true;
    } catch (MillraceException e) {
      // Opening writes, too, and may meet the next fault.
      return false;
    }
  }

  /** Stops once the engine is well. */
  @Override
  public void close() {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (engine.poison().isPresent() && System.nanoTime() - endNs < 0) {
      Load.pause(1);
    }
    isStopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

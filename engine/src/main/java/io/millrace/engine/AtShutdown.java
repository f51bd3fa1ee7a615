package io.millrace.engine;

import io.millrace.api.EngineOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes an engine when the JVM shuts down, unless it was closed before. */
final class AtShutdown implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AtShutdown.class);

  private final Thread hook;

  private AtShutdown(Runnable close) {
    this.hook = new Thread(() -> run(close, EngineOptions.SHUTDOWN_WAIT_MAX), "millrace-shutdown");
  }

  /** From here on; of a JVM that is shutting down already, nobody will be told. */
  static AtShutdown begin(Runnable close) {
    AtShutdown atShutdown = new AtShutdown(close);
    try {
      Runtime.getRuntime().addShutdownHook(atShutdown.hook);
    } catch (IllegalStateException e) {
      LOG.debug("the JVM is shutting down; whoever opens an engine now has to close it", e);
    }
    return atShutdown;
  }

  /** On a thread of its own: a store that hangs must not keep the JVM from its end. */
  static void run(Runnable close, Duration waitMax) {
    Thread closing = new Thread(() -> closeOrTell(close), "millrace-close");
    closing.setDaemon(true);
    closing.start();
    try {
      TimeUnit.NANOSECONDS.timedJoin(closing, waitMax.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      LOG.error(
          "engine is not closed yet, and the JVM ends without it, as in a crash: waited={}",
          waitMax);
    }
  }

  private static void closeOrTell(Runnable close) {
    try {
      close.run();
    } catch (Throwable e) {
      LOG.error("engine could not be closed at the shutdown of the JVM", e);
    }
  }

  /** The engine is closed otherwise. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down: the hook runs, or has run.
      return;
    }
  }
}

package io.millrace.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes an engine when the JVM shuts down, unless it was closed before. */
final class AtShutdown implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AtShutdown.class);

  private final Thread hook;

  private AtShutdown(Runnable close) {
    this.hook = new Thread(() -> run(close), "millrace-shutdown");
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

  private static void run(Runnable close) {
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

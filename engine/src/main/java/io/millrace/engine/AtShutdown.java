package io.millrace.engine;

import io.millrace.api.EngineOptions;
import io.millrace.internal.commit.LastWords;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what is to be done before, and then closes an engine, when the JVM shuts down, unless it was
 * closed before.
 */
final class AtShutdown implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AtShutdown.class);

  private final Thread hook;
  private final Set<Thread> before = ConcurrentHashMap.newKeySet();

  private AtShutdown(Runnable close) {
    this.hook = new Thread(() -> end(close), "millrace-shutdown");
  }

  /** Closing is tried whatever becomes of what comes before it. */
  private void end(Runnable close) {
    try {
      doBefore();
    } catch (Throwable e) {
      tell(e);
    }
    try {
      run(close, EngineOptions.SHUTDOWN_WAIT_MAX);
    } catch (Throwable e) {
      tell(e);
    }
  }

  private void doBefore() {
    List<Thread> begun = List.copyOf(before); // one that ends may take itself back
    begun.forEach(AtShutdown::start);
    try {
      for (Thread work : begun) {
        work.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts a thread; where none can be had any more, what it was to do is done here. */
  @SuppressWarnings("DoNotCall") // Thread.run is meant
  private static void start(Thread thread) {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      thread.run();
    }
  }

  /** Does this before the engine is closed, however long it takes; closing takes it back. */
  AutoCloseable before(Runnable work) {
    Thread thread = new Thread(() -> orTell(work), "millrace-before-shutdown");
    before.add(thread);
    return () -> before.remove(thread);
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
    Thread closing = new Thread(() -> orTell(close), "millrace-close");
    closing.setDaemon(true);
    start(closing);
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

  private static void orTell(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      tell(e);
    }
  }

  /** Logging may fail, too. */
  private static void tell(Throwable thrown) {
    try {
      LOG.error("an engine, or what works on it, could not be ended at the JVM's shutdown", thrown);
    } catch (Throwable e) {
      LastWords.LEFT_OPEN.say();
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

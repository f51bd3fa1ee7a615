package io.millrace.calls;

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
 * The end of an engine when the JVM shuts down: does the work that is registered for before that,
 * and then closes the engine, unless it was closed before.
 */
public final class AtShutdown implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AtShutdown.class);

  private final Thread hook;
  private final Set<Thread> before = ConcurrentHashMap.newKeySet();

  private AtShutdown(Runnable close) {
    this.hook = new Thread(() -> end(close), "millrace-shutdown");
  }

  /** Does the registered work and then closes the engine, whatever became of that work. */
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

  /** Starts a thread; if none can be had any more, does its work on the current one. */
  @SuppressWarnings("DoNotCall") // Thread.run is meant
  private static void start(Thread thread) {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      thread.run();
    }
  }

  /**
   * Registers work to be done before the engine is closed, however long it takes. Closing the
   * answer takes the work back.
   */
  public AutoCloseable before(Runnable work) {
    Thread thread = new Thread(() -> orTell(work), "millrace-before-shutdown");
    before.add(thread);
    return () -> before.remove(thread);
  }

  /**
   * Registers the hook with the JVM. If the JVM is shutting down already, nothing is registered,
   * and whoever opens an engine has to close it.
   */
  public static AtShutdown begin(Runnable close) {
    AtShutdown atShutdown = new AtShutdown(close);
    try {
      Runtime.getRuntime().addShutdownHook(atShutdown.hook);
    } catch (IllegalStateException e) {
      LOG.debug("the JVM is shutting down; whoever opens an engine now has to close it", e);
    }
    return atShutdown;
  }

  /**
   * Closes the engine on a thread of its own and waits for that for the given time at most: a store
   * that hangs must not keep the JVM from its end.
   */
  public static void run(Runnable close, Duration waitMax) {
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

  /** Logs what was thrown; if logging fails, too, it writes a line of last words. */
  private static void tell(Throwable thrown) {
    try {
      LOG.error("an engine, or what works on it, could not be ended at the JVM's shutdown", thrown);
    } catch (Throwable e) {
      LastWords.LEFT_OPEN.say();
    }
  }

  /** Takes the hook back, for the engine is closed otherwise. */
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

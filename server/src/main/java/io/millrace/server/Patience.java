package io.millrace.server;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The time that threads of HTTP wait for whoever sends a request, or takes an answer. A thread that
 * waits longer is interrupted, which closes its connection: those who send or read next to nothing
 * do not hold all threads. Any thread.
 */
final class Patience {

  static final Duration LENGTH = Duration.ofSeconds(30);

  private final ScheduledExecutorService clock;
  private final long lengthMs;

  Patience(ScheduledExecutorService clock, Duration length) {
    this.clock = clock;
    this.lengthMs = length.toMillis();
  }

  /** A piece of work that waits for another host. */
  interface Wait<E extends Exception> {
    void run() throws E;
  }

  /** Carries out the work, and interrupts it when the time is over. */
  <E extends Exception> void during(Wait<E> work) throws E {
    Cut cut = new Cut(Thread.currentThread());
    ScheduledFuture<?> timer = clock.schedule(cut::happen, lengthMs, TimeUnit.MILLISECONDS);
    try {
      work.run();
    } finally {
      timer.cancel(false);
      cut.end();
    }
  }

  private static final class Cut {
    private final Thread waiting;
    private boolean isOver;
    private boolean hasHappened;

    Cut(Thread waiting) {
      this.waiting = waiting;
    }

    synchronized void happen() {
      if (!isOver) {
        hasHappened = true;
        waiting.interrupt();
      }
    }

    /** Ends the wait: what comes after it is not interrupted. */
    synchronized void end() {
      isOver = true;
      if (hasHappened) {
        Thread.interrupted();
      }
    }
  }
}

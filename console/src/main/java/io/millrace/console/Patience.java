package io.millrace.console;

import io.millrace.console.thread.Threads;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The time that the server's threads wait for visitors: for a request to come whole, and for its
 * answer to be taken. A thread that waits longer is interrupted, which closes its connection, so
 * that visitors who send or read nothing do not hold all threads. Any thread may use it.
 */
final class Patience implements AutoCloseable {

  static final Duration LENGTH = Duration.ofMinutes(1);

  /** Waits of any length, for servers whose threads are not the console's. */
  static final Patience ENDLESS = new Patience();

  private final long lengthNs;
  private final Optional<ScheduledExecutorService> watch;

  /** The threads that wait for a visitor, with the time at which they began. */
  private final Map<Thread, Long> waiting = new HashMap<>();

  Patience(Duration length) {
    this.lengthNs = length.toNanos();
    ScheduledExecutorService thread = Threads.scheduled("millrace-console-patience");
    this.watch = Optional.of(thread);
    long stepMs = Math.max(1, length.toMillis() / 10);
    thread.scheduleWithFixedDelay(this::look, stepMs, stepMs, TimeUnit.MILLISECONDS);
  }

  private Patience() {
    this.lengthNs = Long.MAX_VALUE;
    this.watch = Optional.empty();
  }

  private synchronized void look() {
    long nowNs = System.nanoTime();
    waiting.forEach(
        (thread, sinceNs) -> {
          if (nowNs - sinceNs > lengthNs) {
            thread.interrupt();
          }
        });
  }

  /** Carries out a request, whose thread waits for its visitor from here on. */
  void run(Runnable request) {
    begin();
    try {
      request.run();
    } finally {
      end();
    }
  }

  /** Returns the number of threads that wait for a visitor. */
  synchronized int count() {
    return waiting.size();
  }

  /** Begins a wait of this thread. */
  synchronized void begin() {
    if (watch.isEmpty()) {
      return; // nobody looks, and the threads of other servers would be kept for good
    }
    waiting.put(Thread.currentThread(), System.nanoTime());
  }

  /** Ends the wait of this thread, which is not interrupted from here on. */
  synchronized void end() {
    Long sinceNs = waiting.remove(Thread.currentThread());
    if (sinceNs != null && System.nanoTime() - sinceNs > lengthNs) {
      Thread.interrupted(); // the wait was interrupted, and not what comes after it
    }
  }

  /** Returns a stream whose writes are waits. */
  OutputStream watched(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        begin();
        try {
          out.write(bytes, offset, length);
        } finally {
          end();
        }
      }

      @Override
      public void flush() throws IOException {
        begin();
        try {
          out.flush();
        } finally {
          end();
        }
      }
    };
  }

  @Override
  public void close() {
    watch.ifPresent(ScheduledExecutorService::shutdownNow);
  }
}

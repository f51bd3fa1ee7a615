package io.millrace.client;

import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.protocol.ListenCalls.Happened;
import io.millrace.protocol.ListenCalls.Listen;
import io.millrace.protocol.ListenCalls.ListenedEvent;
import io.millrace.protocol.ListenCalls.Missed;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener of a client, with a thread of its own: another one asks the server for events, also
 * while the listener is busy with one, so that the server knows that somebody listens.
 */
final class RemoteListening implements JobListening {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteListening.class);

  private static final long CLOSE_WAIT_MS = 5_000;

  /** The time in which the server is told the end, if it can be reached. */
  private static final long END_WAIT_MS = 1_000;

  private final JobListener listener;
  private final EventLine line = new EventLine();
  private final AtomicLong missed = new AtomicLong();
  private final EventAsking asking;
  private final Thread asker;
  private final Thread teller;

  private RemoteListening(Caller caller, Listen call, Duration waiting, JobListener listener) {
    this.listener = listener;
    this.asking = new EventAsking(caller, call, waiting, line);
    this.asker = thread("millrace-listener-asking", asking::run);
    this.teller = thread("millrace-listener", this::tellAll);
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to tell the listener what happens from now on. */
  static RemoteListening begin(Caller caller, Listen call, Duration waiting, JobListener listener) {
    RemoteListening listening = new RemoteListening(caller, call, waiting, listener);
    listening.asking.begin();
    listening.asker.start();
    listening.teller.start();
    return listening;
  }

  private void tellAll() {
    for (ListenedEvent next = line.take(); next != null; next = line.take()) {
      tell(next);
    }
  }

  private void tell(ListenedEvent next) {
    try {
      if (next instanceof Missed gap) {
        missed.addAndGet(gap.count());
        listener.missed(gap.count());
      } else {
        listener.happened(((Happened) next).event());
      }
    } catch (Throwable e) {
      log(e);
    }
  }

  /** Logs what was thrown. If logging fails, too, there is nowhere left to say it. */
  private void log(Throwable thrown) {
    try {
      LOG.error("a job listener failed: listener={}", listener.getClass().getName(), thrown);
    } catch (Throwable e) {
      return;
    }
  }

  @Override
  public long missedCount() {
    return missed.get();
  }

  /** Tells whether both threads have ended. */
  boolean isOver() {
    return !asker.isAlive() && !teller.isAlive();
  }

  @Override
  public void close() {
    asking.end(EventLine.End.AT_ONCE);
    join(closingEndNs());
  }

  /** Ends the threads when the listener was told what has happened. */
  void endWhenTold() {
    asking.end(EventLine.End.WHEN_TOLD);
  }

  /** Returns the time by {@link System#nanoTime} until which a close that begins now may wait. */
  static long closingEndNs() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_WAIT_MS);
  }

  /**
   * Waits for the threads to end; on the listener's own, which ends later, it returns at once.
   *
   * @param endNs until when, by {@link System#nanoTime}
   */
  void join(long endNs) {
    if (Thread.currentThread() == teller) {
      return;
    }
    boolean wasInterrupted = Thread.interrupted();
    try {
      TimeUnit.NANOSECONDS.timedJoin(teller, endNs - System.nanoTime());
      // It tells the server, where there is room for another listener then.
      TimeUnit.MILLISECONDS.timedJoin(asker, END_WAIT_MS);
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (teller.isAlive()) {
      LOG.warn(
          "a job listener is still running; not waiting for it any longer: listener={}",
          listener.getClass().getName());
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

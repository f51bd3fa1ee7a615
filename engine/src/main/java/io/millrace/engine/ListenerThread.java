package io.millrace.engine;

import io.millrace.api.JobEvent;
import io.millrace.api.JobEvent.Kind;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.internal.commit.ThreadFrame;
import io.millrace.internal.state.EventSink;
import io.millrace.internal.state.ListenedEvents;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener's own thread, and the bounded line of events that the listener is yet to be told: the
 * commit loop puts events in, the thread takes them out.
 *
 * <p>Events for which there is no room are counted. If there is room again, a mark with the count
 * goes in before the next event; if nothing else happens, the thread finds the count itself when
 * the line is empty. It looks at the count before it looks into the line, so that all events before
 * the missing ones were told.
 */
final class ListenerThread implements EventSink, JobListening, ThreadFrame.Work {

  private static final Logger LOG = LoggerFactory.getLogger(ListenerThread.class);
  private static final long CLOSE_WAIT_MS = 5_000;

  /** The moment at which the thread ends. */
  private enum End {
    NOT_YET,
    /** The end of the thread after all events that wait are told. */
    WHEN_TOLD,
    AT_ONCE
  }

  /** A mark in the line in place of events that are missing there. */
  private record Gap(long count) {}

  private final ListenedEvents events;
  private final Optional<QueueName> queue;
  private final Set<Kind> kinds;
  private final JobListener listener;
  private final ConcurrentLinkedQueue<Object> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger lineLength = new AtomicInteger();
  private final AtomicLong missed = new AtomicLong();

  /** The number of events that are missing at the end of the line. */
  private final AtomicLong untold = new AtomicLong();

  private final Thread thread;

  /**
   * True if an event, or a missing one, has come since the last wake-up; used by the loop's thread
   * alone.
   */
  private boolean hasNew;

  private volatile End end = End.NOT_YET;
  private volatile @Nullable Thread sleeper;

  /** Creates a thread, not started yet, for events of one queue, or of all if none is given. */
  ListenerThread(
      ListenedEvents events, Optional<QueueName> queue, Set<Kind> kinds, JobListener listener) {
    this.events = events;
    this.queue = queue;
    this.kinds = EnumSet.copyOf(kinds);
    this.listener = listener;
    this.thread = ThreadFrame.thread("millrace-listener", this);
  }

  void start() {
    thread.start();
    events.add(this);
  }

  @Override
  public boolean wants(Kind kind, QueueName of) {
    return kinds.contains(kind) && (queue.isEmpty() || queue.get().equals(of));
  }

  @Override
  public void take(JobEvent event) {
    if (!isGapIn() || !isIn(event)) {
      miss(1);
    }
    hasNew = true;
  }

  /**
   * Puts a mark into the line if events are missing there. Returns false if there is no room for
   * it.
   */
  private boolean isGapIn() {
    long gap = untold.getAndSet(0);
    if (gap > 0 && !isMarkIn(gap)) {
      untold.addAndGet(gap);
      return false;
    }
    return true;
  }

  /**
   * Puts a mark into the line if there is room. Want of memory counts as no room, for only this
   * listener is concerned.
   */
  private boolean isMarkIn(long gap) {
    try {
      return isIn(new Gap(gap));
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private boolean isIn(Object next) {
    if (lineLength.get() >= Limits.LISTENER_EVENT_COUNT_MAX) {
      return false;
    }
    lineLength.incrementAndGet(); // first, for the thread may take it at once
    try {
      return line.add(next);
    } catch (OutOfMemoryError e) {
      lineLength.decrementAndGet();
      return false;
    }
  }

  @Override
  public void miss(long count) {
    missed.addAndGet(count);
    untold.addAndGet(count);
    events.countMissed(count);
    hasNew = true;
  }

  @Override
  public int waitingCount() {
    return lineLength.get();
  }

  @Override
  public void wake() {
    if (hasNew) {
      hasNew = false;
      LockSupport.unpark(sleeper);
    }
  }

  @Override
  public long missedCount() {
    return missed.get();
  }

  @Override
  public boolean step() {
    End ending = end;
    long gap = untold.get();
    Object next = ending == End.AT_ONCE ? null : line.poll();
    if (next != null) {
      lineLength.decrementAndGet();
      tell(next);
    } else if (gap > 0 && ending != End.AT_ONCE) {
      // Before it is taken: for want of memory it must not be lost.
      Gap missing = new Gap(gap);
      if (untold.compareAndSet(gap, 0)) {
        tell(missing);
      }
    } else if (ending != End.NOT_YET) {
      return false;
    } else {
      sleep();
    }
    return true;
  }

  @Override
  public void failed(Throwable thrown) {
    log(thrown);
  }

  /**
   * Ends the telling. Events that still come stay in the line, and are counted as missed when it is
   * full.
   */
  @Override
  public void ended() {
    end = End.AT_ONCE;
  }

  private void sleep() {
    // What the listener left behind must not keep the thread awake.
    Thread.interrupted();
    sleeper = thread;
    if (isNothingThere() && end == End.NOT_YET) {
      LockSupport.park(this);
    }
    sleeper = null;
  }

  private boolean isNothingThere() {
    return line.isEmpty() && untold.get() == 0;
  }

  private void tell(Object next) {
    try {
      if (next instanceof Gap gap) {
        listener.missed(gap.count());
      } else {
        listener.happened((JobEvent) next);
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

  /** Tells whether the listener was told all events; for tests that wait for that. */
  boolean isIdle() {
    return isNothingThere() && sleeper != null;
  }

  /** Tells whether the thread has ended. */
  boolean isOver() {
    return !thread.isAlive();
  }

  @Override
  public void close() {
    events.remove(this);
    end(End.AT_ONCE);
    join();
  }

  /** Takes no more events, and ends the thread when those in the line are told. */
  void endWhenTold() {
    events.remove(this);
    end(End.WHEN_TOLD);
  }

  private synchronized void end(End value) {
    if (end != End.AT_ONCE) {
      end = value;
    }
    LockSupport.unpark(thread);
  }

  /** Waits for the thread to end; on the thread itself, which ends later, it returns at once. */
  void join() {
    if (Thread.currentThread() == thread) {
      return;
    }
    boolean wasInterrupted = Thread.interrupted();
    try {
      TimeUnit.MILLISECONDS.timedJoin(thread, CLOSE_WAIT_MS);
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (thread.isAlive()) {
      LOG.warn(
          "a job listener is still running; not waiting for it any longer: listener={}",
          listener.getClass().getName());
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

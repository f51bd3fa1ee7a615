package io.millrace.internal.commit;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where futures are completed and listeners told: one thread of the engine, which lives as long as
 * the engine does, and which hands them on to the user's executor if there is one. Never the commit
 * loop, for user code may block, and an executor may run what it is given on the thread that gives
 * it.
 *
 * <p>The line is a stack of links (R. K. Treiber, "Systems Programming: Coping with Parallelism",
 * 1986), taken as a whole and turned round. Handing over needs neither memory nor a new thread, so
 * that it cannot fail.
 *
 * <p>Nothing is left behind at the end: whoever comes too late gives what is in line on its own
 * thread.
 */
final class AnswerThread implements Executor, Runnable, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerThread.class);
  private static final long CLOSE_WAIT_MS = 5_000;

  private final @Nullable Executor users;
  private final Thread thread;
  private final AtomicReference<@Nullable Answer> newest = new AtomicReference<>();
  private volatile @Nullable Thread sleeper;
  private volatile boolean isClosing;
  private volatile boolean isEnded;

  /** A thread that has not started. */
  AnswerThread(@Nullable Executor users) {
    this.users = users;
    this.thread = new Thread(this, "millrace-answer");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Whether the calling thread is this. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Puts an answer in line; to be followed by {@link #wake}, for it and others. */
  void add(Answer answer) {
    Answer before;
    do {
      before = newest.get();
      answer.before = before;
    } while (!newest.compareAndSet(before, answer));
  }

  /** Lets what is in line be given; disturbs nobody if there is nothing. */
  void wake() {
    Thread sleeping = sleeper;
    if (sleeping != null && newest.get() != null) {
      LockSupport.unpark(sleeping);
    }
    if (isEnded) {
      giveAll();
    }
  }

  /** Runs it soon, in its turn. */
  @Override
  public void execute(Runnable work) {
    add(
        new Answer() {
          @Override
          void give() {
            work.run();
          }
        });
    wake();
  }

  @Override
  public void run() {
    while (true) {
      boolean isLast = isClosing;
      if (!giveAll()) {
        if (isLast) {
          break;
        }
        sleep();
      }
    }
    isEnded = true;
    giveAll();
  }

  private void sleep() {
    sleeper = thread;
    if (newest.get() == null && !isClosing) {
      LockSupport.park(this);
    }
    sleeper = null;
  }

  /** Gives all that is in line, in order; answers whether there was something. */
  private boolean giveAll() {
    Answer next = null;
    Answer last = newest.getAndSet(null);
    while (last != null) {
      Answer before = last.before;
      last.before = next;
      next = last;
      last = before;
    }
    boolean isAny = next != null;
    while (next != null) {
      Answer after = next.before;
      next.before = null;
      handOn(next);
      next = after;
    }
    return isAny;
  }

  private void handOn(Answer answer) {
    if (users != null) {
      try {
        users.execute(answer);
        return;
      } catch (Throwable e) {
        Answer.log(
            "the executor for futures refused an answer; it is given on the engine's own thread",
            e);
      }
    }
    answer.run();
  }

  /** Waits until all in line is given; not on the thread itself, which gives it later. */
  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    if (isCurrent()) {
      return;
    }
    boolean wasInterrupted = Thread.interrupted();
    try {
      TimeUnit.MILLISECONDS.timedJoin(thread, CLOSE_WAIT_MS);
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (thread.isAlive()) {
      LOG.warn("code that depends on a future is still running; not waiting for it any longer");
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

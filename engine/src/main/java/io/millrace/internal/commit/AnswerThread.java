package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
 * <p>Nothing is left behind: an answer that could not be given comes back, one that the user's
 * executor does not begin in time is given on this thread, and at the end whoever comes too late
 * gives what is in line on its own thread.
 */
final class AnswerThread implements Executor, ThreadFrame.Work, Answer.Giver, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerThread.class);
  private static final long CLOSE_WAIT_MS = 5_000;
  private static final long RETRY_NS = 10_000_000;
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final int RETRY_COUNT_MAX = 100;

  private final @Nullable Lent lent;
  private final Thread thread;
  private final AtomicReference<@Nullable Answer> newest = new AtomicReference<>();
  private final CountDownLatch allGiven = new CountDownLatch(1);
  private volatile @Nullable Thread sleeper;
  private volatile boolean hasTakenBack;
  private volatile boolean isClosing;
  private volatile boolean isEnded;

  /** A thread that has not started. */
  AnswerThread(@Nullable Executor users) {
    this.lent = users == null ? null : new Lent(users, EngineClock.SYSTEM);
    this.thread = ThreadFrame.thread("millrace-answer", this);
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
    answer.join(this);
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
    add(new Task(work, thrown -> {}));
    wake();
  }

  /**
   * What hands this work over when it is run, for which it needs no memory then.
   *
   * @param failed told what the work threw, until it returns
   */
  Runnable prepare(Runnable work, Consumer<Throwable> failed) {
    Task task = new Task(work, failed);
    return () -> {
      add(task);
      wake();
    };
  }

  /** Some other work. */
  private static final class Task extends Answer {
    private final Runnable work;
    private final Consumer<Throwable> failed;

    Task(Runnable work, Consumer<Throwable> failed) {
      this.work = work;
      this.failed = failed;
    }

    @Override
    void give() {
      work.run();
    }

    @Override
    void failed(Throwable cause) {
      failed.accept(cause);
    }
  }

  @Override
  public boolean step() {
    boolean isLast = isClosing;
    if (hasTakenBack) {
      hasTakenBack = false;
      LockSupport.parkNanos(this, RETRY_NS);
    }
    if (giveAll()) {
      if (lent != null && lent.waitNs(isLast) <= 0) {
        lent.look(isLast);
      }
      return true;
    }
    if (lent != null && lent.look(isLast)) {
      if (isLast) {
        // Nobody is to wait for an executor that may be theirs.
        allGiven.countDown();
      }
      sleep(lent.waitNs(isLast));
      return true;
    }
    if (!isLast) {
      sleep(NO_LIMIT);
    }
    return !isLast;
  }

  @Override
  public void failed(Throwable thrown) {
    Answer.log("the thread that gives answers failed, and goes on", thrown);
  }

  @Override
  public void ended() {
    isEnded = true;
    giveAll();
    allGiven.countDown();
  }

  private void sleep(long mostNs) {
    sleeper = thread;
    if (newest.get() == null && (!isClosing || allGiven.getCount() == 0)) {
      if (mostNs == NO_LIMIT) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, mostNs);
      }
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
    if (answer.hasFailed()) {
      if (!answer.isFailureTold()) {
        takeBack(answer);
      }
    } else if (lent == null || isEnded || !lent.isTaken(answer)) {
      answer.run();
    }
  }

  /** Whoever waits for the answer could not even be told that it failed: that is tried again. */
  @Override
  public void takeBack(Answer answer) {
    if (!isEnded) {
      hasTakenBack = true;
      add(answer);
      Thread sleeping = sleeper;
      if (sleeping != null) {
        LockSupport.unpark(sleeping);
      }
      return;
    }
    for (int i = 0; i < RETRY_COUNT_MAX && !answer.isFailureTold(); i++) {
      LockSupport.parkNanos(this, RETRY_NS);
    }
  }

  /** Waits until all in line is given; not on the thread itself, which gives it later. */
  @Override
  public void close() {
    isClosing = true;
    LockSupport.unpark(thread);
    if (isCurrent() || !thread.isAlive()) {
      return;
    }
    boolean wasInterrupted = Thread.interrupted();
    boolean isOver = false;
    try {
      isOver = allGiven.await(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      wasInterrupted = true;
    }
    if (!isOver) {
      LOG.warn("code that depends on a future is still running; not waiting for it any longer");
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

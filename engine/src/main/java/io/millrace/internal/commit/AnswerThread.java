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
 * The engine's thread that completes futures and tells listeners. It lives as long as the engine
 * and hands answers on to the user's executor if there is one. The commit loop never does this
 * work: user code may block, and an executor may run a task on the thread that submits it.
 *
 * <p>The line is a stack of links (R. K. Treiber, "Systems Programming: Coping with Parallelism",
 * 1986), taken as a whole and turned round. Handing over needs neither memory nor a new thread, so
 * that it cannot fail.
 *
 * <p>No answer is left behind. One that could not be given comes back. One that the user's executor
 * does not begin in time is given on this thread. After the thread's end, a thread that hands over
 * an answer gives the whole line itself.
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

  /**
   * Creates a thread that has not started; futures complete on the user's executor, unless null.
   */
  AnswerThread(@Nullable Executor users) {
    this.lent = users == null ? null : new Lent(users, EngineClock.SYSTEM);
    this.thread = ThreadFrame.thread("millrace-answer", this);
  }

  void start() {
    thread.start();
  }

  /** Tells whether the calling thread is this thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Puts an answer in line. The caller must then call {@link #wake}, once for any number of
   * answers.
   */
  void add(Answer answer) {
    answer.join(this);
    Answer before;
    do {
      before = newest.get();
      answer.before = before;
    } while (!newest.compareAndSet(before, answer));
  }

  /**
   * Wakes the thread if it sleeps and answers are in line. After the thread's end, gives the
   * answers on the calling thread.
   */
  void wake() {
    Thread sleeping = sleeper;
    if (sleeping != null && newest.get() != null) {
      LockSupport.unpark(sleeping);
    }
    if (isEnded) {
      giveAll();
    }
  }

  /** Runs the work soon, in its turn. */
  @Override
  public void execute(Runnable work) {
    add(new Task(work, thrown -> {}));
    wake();
  }

  /**
   * Returns an action that hands the work over to this thread. Running that action needs no memory.
   *
   * @param failed told what the work threw, again until it returns normally
   */
  Runnable prepare(Runnable work, Consumer<Throwable> failed) {
    Task task = new Task(work, failed);
    return () -> {
      add(task);
      wake();
    };
  }

  /** An answer that runs other work. */
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

  /** Gives all answers that are in line, in order; returns whether there were any. */
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
      try {
        handOn(next);
      } catch (Throwable e) {
        // The executor refused it, and there is no memory to say so. Nobody is left behind.
        takeBack(next);
      }
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

  /**
   * Takes back an answer whose failure could not be told: puts it in line again or, after the
   * thread's end, retries at once.
   */
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

  /**
   * Waits until all answers in line are given, up to a limit. On the thread itself, returns at
   * once.
   */
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

package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.internal.transition.Transition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request for a transition, with the answer on its way back.
 *
 * <p>A request is WAITING until either the loop answers it or its caller gives up, by
 * compare-and-set: whoever loses cleans up. So a caller that gave up never holds a lease, and an
 * answer is told exactly once.
 *
 * @param <R> the type of the answer
 */
public final class Request<R> extends RingEntry {

  private static final int WAITING = 0;
  private static final int ANSWERED = 1;
  private static final int ABANDONED = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Request.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The length of a wait without a limit. */
  public static final long FOR_EVER = Long.MAX_VALUE;

  private final Transition<R> transition;
  private final long submittedNs;
  private final long waitNs;
  private final Durability level;
  private final @Nullable Thread waiter;
  private final @Nullable Answer listenerAnswer;
  private volatile int state = WAITING;
  private volatile boolean isBack;
  private volatile boolean isWoken;
  private @Nullable WakeUps wakeUps;
  private @Nullable R result;
  private @Nullable RuntimeException failure;
  private long answerCommit;
  private Durability answerLevel = Durability.BUFFERED;

  private Request(
      Transition<R> transition,
      Terms terms,
      @Nullable Thread waiter,
      @Nullable Listener<R> listener) {
    this.transition = transition;
    this.submittedNs = terms.submittedNs();
    this.waitNs = terms.waitNs();
    this.level = terms.level();
    this.waiter = waiter;
    this.listenerAnswer = listener == null ? null : new ListenerAnswer(listener);
  }

  /** The answer that calls a listener. */
  private final class ListenerAnswer extends Answer {

    private final Listener<R> listener;

    ListenerAnswer(Listener<R> listener) {
      this.listener = listener;
    }

    @Override
    void give() {
      listener.answered(Request.this);
    }

    @Override
    void failed(Throwable cause) {
      listener.failed(cause);
    }
  }

  /**
   * The receiver of a request's answer.
   *
   * @param <R> the type of the answer
   */
  public interface Listener<R> {

    /** Receives an answer or a failure; called once. */
    void answered(Request<R> request);

    /**
     * Receives what {@link #answered} threw. Whoever waits must be told that instead, if nothing
     * has been told yet. Called again if this throws, too.
     */
    default void failed(Throwable thrown) {}
  }

  /**
   * The terms of a request.
   *
   * @param submittedNs the moment at which it was made, on the monotonic clock, by which it is
   *     judged
   * @param waitNs the longest wait, in nanoseconds, if there is nothing for it
   * @param level the durability of its effects when it is answered
   */
  public record Terms(long submittedNs, long waitNs, Durability level) {}

  /** Creates a request of the calling thread, which will wait for the answer. */
  public static <R> Request<R> blocking(Transition<R> transition, Terms terms) {
    return new Request<>(transition, terms, Thread.currentThread(), null);
  }

  /** Creates a request whose answer is told to a listener, on the thread that completes futures. */
  public static <R> Request<R> listening(
      Transition<R> transition, Terms terms, Listener<R> listener) {
    return new Request<>(transition, terms, null, listener);
  }

  /**
   * Waits for the answer on the thread that made the request.
   *
   * @param mostNs the longest wait, in nanoseconds; {@link #FOR_EVER} for as long as it takes
   * @return whether there is an answer. False if the thread was interrupted or the time is over:
   *     the request is abandoned, and the thread's interrupt status is set if it was interrupted
   */
  public boolean await(long mostNs) {
    boolean wasInterrupted = false;
    long beganNs = mostNs == FOR_EVER ? 0 : EngineClock.SYSTEM.monotonicNs();
    while (state == WAITING) {
      boolean isOver = false;
      if (mostNs == FOR_EVER) {
        LockSupport.park(this);
      } else {
        long leftNs = mostNs - (EngineClock.SYSTEM.monotonicNs() - beganNs);
        isOver = leftNs <= 0;
        LockSupport.parkNanos(this, leftNs);
      }
      wasInterrupted |= Thread.interrupted();
      if ((wasInterrupted || isOver) && abandon()) {
        break;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
    if (state == ABANDONED) {
      return false;
    }
    WakeUps others = wakeUps;
    if (others != null) {
      isBack = true;
      others.goOn();
    }
    return true;
  }

  /** Waits for the answer for as long as it takes; see {@link #await(long)}. */
  boolean await() {
    return await(FOR_EVER);
  }

  /** Wakes the caller; returns false if it has given up, is back or was woken already. */
  @Override
  boolean wake() {
    if (state != ANSWERED || isBack || isWoken) {
      return false;
    }
    LockSupport.unpark(waiter);
    isWoken = true;
    return true;
  }

  /** Gives the request up; returns whether that came before the answer. */
  public boolean abandon() {
    return STATE.compareAndSet(this, WAITING, ABANDONED);
  }

  /** Returns the answer, once there is one, or throws the request's failure. */
  public R answer() {
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    R answered = result;
    if (answered == null) {
      throw new IllegalStateException("request was not answered: " + transition);
    }
    return answered;
  }

  /** Returns the failure of the answered request, or null. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  public Transition<R> transition() {
    return transition;
  }

  long submittedNs() {
    return submittedNs;
  }

  public long waitNs() {
    return waitNs;
  }

  Durability level() {
    return level;
  }

  boolean isAbandoned() {
    return state == ABANDONED;
  }

  boolean isAnswered() {
    return state == ANSWERED;
  }

  /** Sets the answer, to be told when the commit is as durable as given. */
  void resolve(R value, long commit, Durability durability) {
    result = value;
    failure = null;
    answerCommit = commit;
    answerLevel = durability;
  }

  /** Sets a failure as the answer, to be told whatever becomes of the rest of the group. */
  void resolveFailure(RuntimeException thrown) {
    result = null;
    failure = thrown;
    answerCommit = 0;
  }

  /** Delays the failure until this commit is in the store. */
  void failAfter(long commit) {
    answerCommit = commit;
    answerLevel = Durability.BUFFERED;
  }

  @Nullable R result() {
    return result;
  }

  /** Lowers the commit that the answer waits for, for there is none after this one. */
  void waitAtMostFor(long commit) {
    answerCommit = Math.min(answerCommit, commit);
  }

  long answerCommit() {
    return answerCommit;
  }

  Durability answerLevel() {
    return answerLevel;
  }

  /**
   * Makes the answer known, but leaves waking to others: the wakers wake a blocked caller, and the
   * caller of this method wakes the answer thread for a listener. Returns false if the request was
   * given up; see {@link #tell(AnswerThread)}.
   */
  boolean tell(AnswerThread answers, WakeUps wakers) {
    if (listenerAnswer == null) {
      // Before it is answered: a caller who is back by itself wakes the others.
      wakers.add(this);
      wakeUps = wakers;
    }
    if (!STATE.compareAndSet(this, WAITING, ANSWERED)) {
      return false;
    }
    if (listenerAnswer != null) {
      answers.add(listenerAnswer);
    }
    return true;
  }

  /**
   * Makes the answer known and wakes its receiver. Returns false if the request was given up; then
   * the answer is never known.
   */
  boolean tell(AnswerThread answers) {
    if (!STATE.compareAndSet(this, WAITING, ANSWERED)) {
      return false;
    }
    if (listenerAnswer != null) {
      answers.add(listenerAnswer);
      answers.wake();
    } else {
      LockSupport.unpark(waiter);
    }
    return true;
  }

  /** Tells whether the calling thread itself is to wait for the answer. */
  boolean isBlocking() {
    return waiter != null;
  }

  @Override
  long bytes() {
    return transition.bytes();
  }

  /**
   * Fails the request. Does nothing if it is answered, for its caller may be reading that answer.
   */
  @Override
  void refuse(RuntimeException why, AnswerThread answerThread) {
    if (!isAnswered()) {
      resolveFailure(why);
      tell(answerThread);
    }
  }
}

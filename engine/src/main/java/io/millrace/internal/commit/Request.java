package io.millrace.internal.commit;

import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.internal.transition.Transition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A transition that someone asked for, and the answer on its way back.
 *
 * <p>It is WAITING until either the loop answers it or its caller gives up, by compare-and-set:
 * whoever loses cleans up. So a caller that gave up never holds a lease, and an answer is told
 * exactly once.
 *
 * @param <R> what is answered
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

  /** No limit to a wait. */
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

  /** The way back to a listener. */
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
   * Who is told the answer of a request.
   *
   * @param <R> what is answered
   */
  public interface Listener<R> {

    /** There is an answer, or a failure; told once. */
    void answered(Request<R> request);

    /**
     * Being told has thrown this: whoever waits has to be told that instead, if he is told nothing
     * yet. Asked again if this throws, too.
     */
    default void failed(Throwable thrown) {}
  }

  /**
   * How a request is to be taken.
   *
   * @param submittedNs when it was made, on the monotonic clock: the time by which it is judged
   * @param waitNs how long it waits if there is nothing for it
   * @param level how durable its effects are when it is answered
   */
  public record Terms(long submittedNs, long waitNs, Durability level) {}

  /** A request of the calling thread, which will wait for the answer. */
  public static <R> Request<R> blocking(Transition<R> transition, Terms terms) {
    return new Request<>(transition, terms, Thread.currentThread(), null);
  }

  /** A request whose answer is told to a listener, on the thread that completes futures. */
  public static <R> Request<R> listening(
      Transition<R> transition, Terms terms, Listener<R> listener) {
    return new Request<>(transition, terms, null, listener);
  }

  /**
   * Waits for the answer on the thread that made the request.
   *
   * @param mostNs how long at most; {@link #FOR_EVER} for as long as it takes
   * @return whether there is one; false if the thread was interrupted or the time is over: the
   *     request is abandoned, and the thread's interrupt status is set if it was interrupted
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

  /** As {@link #await(long)}, for as long as it takes. */
  boolean await() {
    return await(FOR_EVER);
  }

  /** Wakes the caller; false if it has given up, is back or was woken already. */
  @Override
  boolean wake() {
    if (state != ANSWERED || isBack || isWoken) {
      return false;
    }
    LockSupport.unpark(waiter);
    isWoken = true;
    return true;
  }

  /** Gives up; answers whether that came before the answer. */
  public boolean abandon() {
    return STATE.compareAndSet(this, WAITING, ABANDONED);
  }

  /** The answer, once there is one; throws what the request failed of. */
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

  /** What the request failed of, once it is answered, or null. */
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

  /** What the answer will be, if the commit that it waits for succeeds. */
  void resolve(R value, long commit, Durability durability) {
    result = value;
    failure = null;
    answerCommit = commit;
    answerLevel = durability;
  }

  /** The request fails, whatever becomes of the others of its group. */
  void resolveFailure(RuntimeException thrown) {
    result = null;
    failure = thrown;
    answerCommit = 0;
  }

  /** The failure is told when this commit is there. */
  void failAfter(long commit) {
    answerCommit = commit;
    answerLevel = Durability.BUFFERED;
  }

  @Nullable R result() {
    return result;
  }

  /** There is no commit behind this one to wait for. */
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
   * As {@link #tell(AnswerThread)}, but leaves it to others to wake whoever waits: the caller to
   * the wakers, the thread that tells listeners to the caller of this.
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

  /** Makes the answer known; false if the caller has given up, and then it never will be. */
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

  /** Whether the calling thread itself is to wait for the answer. */
  boolean isBlocking() {
    return waiter != null;
  }

  @Override
  long bytes() {
    return transition.bytes();
  }

  /** Does nothing if it was told something: whoever was may only now be looking at it. */
  @Override
  void refuse(RuntimeException why, AnswerThread answerThread) {
    if (!isAnswered()) {
      resolveFailure(why);
      tell(answerThread);
    }
  }
}

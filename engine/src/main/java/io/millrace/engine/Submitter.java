package io.millrace.engine;

import io.millrace.MillraceException;
import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.Request;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.upkeep.Quarantine;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from callers to the commit loop: hands transitions over, waits for the answer or gives it
 * by future, and says how durable the effect is to be by then. Any thread.
 */
final class Submitter {

  private static final Logger LOG = LoggerFactory.getLogger(Submitter.class);

  private final EngineClock clock;
  private final CommitLoop loop;
  private final Durability durability;
  private final long timeoutNs;
  private final FunctionThreads functions;

  Submitter(
      EngineClock clock,
      CommitLoop loop,
      FunctionThreads functions,
      Durability durability,
      Optional<Duration> timeout) {
    this(
        clock,
        loop,
        functions,
        durability,
        timeout.map(Duration::toNanos).orElse(Request.FOR_EVER));
  }

  private Submitter(
      EngineClock clock,
      CommitLoop loop,
      FunctionThreads functions,
      Durability durability,
      long timeoutNs) {
    this.clock = clock;
    this.loop = loop;
    this.functions = functions;
    this.durability = Objects.requireNonNull(durability, "durability");
    this.timeoutNs = timeoutNs;
  }

  /** Returns a submitter of the same engine whose calls wait for this durability. */
  Submitter with(Durability level) {
    return new Submitter(clock, loop, functions, level, timeoutNs);
  }

  /** Tells whether both submitters belong to the same engine. */
  boolean isOfSameEngine(Submitter other) {
    return loop == other.loop;
  }

  EngineClock clock() {
    return clock;
  }

  /** Returns the threads on which functions of transactions run, which may ask for nothing here. */
  FunctionThreads functions() {
    return functions;
  }

  /** Returns the time of the lease clock now, in nanoseconds. */
  long leaseNs() {
    return loop.leaseNs(clock.monotonicNs());
  }

  <R> R call(Transition<R> transition) {
    return call(transition, () -> {});
  }

  /**
   * Submits a transition and waits for the answer; see {@link #call(Transition)}.
   *
   * @param inLine runs as soon as the request is in line behind all that came before
   */
  <R> R call(Transition<R> transition, Runnable inLine) {
    Request<R> request = Request.blocking(transition, terms(0));
    submit(request);
    inLine.run();
    if (!await(request, 0)) {
      throw new OutcomeUnknownException(
          "interrupted while waiting for the answer; the request may still be carried out");
    }
    return request.answer();
  }

  /**
   * Waits for the answer.
   *
   * @param waitNs how long the request itself may wait, as a claim does for jobs
   * @return whether there is an answer; false if the thread was interrupted
   * @throws OutcomeUnknownException there was none in time
   */
  boolean await(Request<?> request, long waitNs) {
    boolean isAnswered = request.await(limitNs(waitNs));
    if (!isAnswered && !Thread.currentThread().isInterrupted()) {
      loop.forget(request);
      throw timedOut();
    }
    return isAnswered;
  }

  private long limitNs(long waitNs) {
    boolean isLimited = timeoutNs < Request.FOR_EVER - waitNs;
    return isLimited ? timeoutNs + waitNs : Request.FOR_EVER;
  }

  private OutcomeUnknownException timedOut() {
    return new OutcomeUnknownException(
        "no answer within the call timeout; the request may still be carried out: callTimeout="
            + Duration.ofNanos(timeoutNs));
  }

  <R, T> CompletableFuture<T> callAsync(Transition<R> transition, Function<R, T> answer) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Request.Listener<R> listener =
        new Request.Listener<>() {
          @Override
          public void answered(Request<R> answered) {
            T value;
            try {
              value = answer.apply(answered.answer());
            } catch (Throwable e) {
              future.completeExceptionally(e);
              return;
            }
            future.complete(value);
          }

          @Override
          public void failed(Throwable thrown) {
            future.completeExceptionally(thrown);
          }
        };
    submit(Request.listening(transition, terms(0), listener), future);
    return future;
  }

  /**
   * Submits a transition. The listener is told the outcome, unless this method throws.
   *
   * @throws MillraceException the request is not taken up
   */
  <R> void tell(Transition<R> transition, Request.Listener<R> listener) {
    loop.submit(Request.listening(transition, terms(0), listener));
  }

  /** Hands over a request that its caller waits for. */
  void submit(Request<?> request) {
    functions.check(request.transition());
    loop.submit(request);
  }

  /**
   * Hands over a request whose answer completes a future. If the request is not taken up, or not
   * answered in time, the future completes with that error. A request that the function of a
   * transaction makes is refused at once, for the function would not look at the future.
   */
  void submit(Request<?> request, CompletableFuture<?> future) {
    functions.check(request.transition());
    try {
      loop.submit(request);
      long limitNs = limitNs(request.waitNs());
      if (limitNs != Request.FOR_EVER) {
        endInTime(request, future, limitNs);
      }
    } catch (MillraceException e) {
      future.completeExceptionally(e);
    }
  }

  private void endInTime(Request<?> request, CompletableFuture<?> future, long limitNs) {
    // Made before it is known whether it is needed: nobody else answers what is given up.
    Runnable givingUp =
        loop.forAnswerThread(() -> giveUp(request, future), future::completeExceptionally);
    CompletableFuture<Void> answered = new CompletableFuture<>();
    future.whenComplete((result, thrown) -> answered.complete(null));
    answered
        .orTimeout(limitNs, TimeUnit.NANOSECONDS)
        .exceptionally(
            timeout -> {
              if (request.abandon()) {
                givingUp.run();
              }
              return null;
            });
  }

  private void giveUp(Request<?> request, CompletableFuture<?> future) {
    try {
      loop.forget(request);
    } finally {
      future.completeExceptionally(timedOut());
    }
  }

  /** Sets a row aside that a reader found corrupt. Does not wait for that. */
  void quarantine(byte[] key) {
    later(new Quarantine(key));
  }

  private <R> void later(Transition<R> transition) {
    Request.Terms terms = new Request.Terms(clock.monotonicNs(), 0, Durability.BUFFERED);
    try {
      loop.submit(Request.listening(transition, terms, answered -> {}));
    } catch (RuntimeException e) {
      // Closed, poisoned or overloaded: the next reader will see to it.
      LOG.debug("work in the background was refused", e);
    }
  }

  /**
   * Returns the terms of a request that is made now.
   *
   * @param waitNs how long the request itself may wait, as a claim does for jobs
   */
  Request.Terms terms(long waitNs) {
    return new Request.Terms(clock.monotonicNs(), waitNs, durability);
  }
}

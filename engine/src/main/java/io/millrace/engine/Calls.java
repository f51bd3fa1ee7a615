package io.millrace.engine;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Durability;
import io.millrace.api.EngineClock;
import io.millrace.api.EngineOptions;
import io.millrace.api.Lease;
import io.millrace.api.MillraceException;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.internal.commit.CommitLoop;
import io.millrace.internal.commit.ReopenableStore;
import io.millrace.internal.commit.Request;
import io.millrace.internal.read.OpenViews;
import io.millrace.internal.state.ClaimSpec;
import io.millrace.internal.transition.Claim;
import io.millrace.internal.transition.Grant;
import io.millrace.internal.transition.Quarantine;
import io.millrace.internal.transition.Transition;
import io.millrace.spi.StoreClosedException;
import io.millrace.spi.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the public handles talk to the commit loop: waiting for the answer, or by future, and for how
 * durable an effect. Any thread.
 */
final class Calls {

  private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

  private final EngineOptions options;
  private final CommitLoop loop;
  private final ReopenableStore store;
  private final OpenViews views;
  private final Durability durability;
  private final LeaseDelivery delivery;

  /** Calls that wait for what the engine promises. */
  Calls(EngineOptions options, CommitLoop loop, ReopenableStore store, OpenViews views) {
    this(options, loop, store, views, options.durability());
  }

  private Calls(
      EngineOptions options,
      CommitLoop loop,
      ReopenableStore store,
      OpenViews views,
      Durability durability) {
    this.options = options;
    this.loop = loop;
    this.store = store;
    this.views = views;
    this.durability = Objects.requireNonNull(durability, "durability");
    this.delivery = new LeaseDelivery(this, store, views);
  }

  /** Calls to the same engine that wait for this level. */
  Calls with(Durability level) {
    return new Calls(options, loop, store, views, level);
  }

  /** Whether both call the same engine. */
  boolean isOfSameEngine(Calls other) {
    return loop == other.loop;
  }

  EngineClock clock() {
    return options.clock();
  }

  /** The lease clock now. */
  long leaseNs() {
    return loop.leaseNs(clock().monotonicNs());
  }

  <R> R call(Transition<R> transition) {
    Request<R> request = Request.blocking(transition, terms(0));
    loop.submit(request);
    if (!request.await()) {
      throw new OutcomeUnknownException(
          "interrupted while waiting for the answer; the request may still be carried out");
    }
    return request.answer();
  }

  <R, T> CompletableFuture<T> callAsync(Transition<R> transition, Function<R, T> answer) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Request<R> request =
        Request.listening(transition, terms(0), answered -> complete(future, answered, answer));
    submit(request, future);
    return future;
  }

  /** What keeps a request from being taken up is told by its future, as everything else is. */
  private void submit(Request<?> request, CompletableFuture<?> future) {
    try {
      loop.submit(request);
    } catch (MillraceException | StoreException e) {
      future.completeExceptionally(e);
    }
  }

  private static <R, T> void complete(
      CompletableFuture<T> future, Request<R> request, Function<R, T> answer) {
    try {
      future.complete(answer.apply(request.answer()));
    } catch (Throwable e) {
      future.completeExceptionally(e);
    }
  }

  /**
   * Takes jobs, waiting for some if there are none; empty also if the thread is interrupted while
   * waiting.
   */
  List<Lease> claim(ClaimSpec spec, long waitNs) {
    Request<List<Grant>> request = Request.blocking(new Claim(spec), terms(waitNs));
    loop.submit(request);
    if (!request.await()) {
      loop.forget(request);
      return List.of();
    }
    return delivered(request.answer());
  }

  /** What keeps the leases from being handed over is no failure of their jobs: they go back. */
  private List<Lease> delivered(List<Grant> grants) {
    try {
      return delivery.deliver(grants);
    } catch (CorruptDataException e) {
      // These jobs are being set aside.
      throw e;
    } catch (Throwable e) {
      loop.handBack(grants);
      throw e;
    }
  }

  CompletableFuture<List<Lease>> claimAsync(ClaimSpec spec, long waitNs) {
    CompletableFuture<List<Lease>> future = new CompletableFuture<>();
    Request<List<Grant>> request =
        Request.listening(
            new Claim(spec), terms(waitNs), answered -> completeClaim(future, answered));
    future.whenComplete(
        (leases, thrown) -> {
          if (future.isCancelled() && request.abandon()) {
            loop.forget(request);
          }
        });
    submit(request, future);
    return future;
  }

  private void completeClaim(CompletableFuture<List<Lease>> future, Request<List<Grant>> request) {
    List<Grant> grants;
    List<Lease> leases;
    try {
      grants = request.answer();
      leases = delivered(grants);
    } catch (Throwable e) {
      future.completeExceptionally(e);
      return;
    }
    if (!future.complete(leases) && !leases.isEmpty()) {
      // Whoever cancelled the future wants none of them.
      loop.handBack(grants);
    }
  }

  /** What to tell a caller who met a closed store. */
  MillraceException storeClosed(String consequence, StoreClosedException cause) {
    return loop.storeClosed(consequence, cause);
  }

  /** Sets a row aside that a reader found corrupt; nobody waits for it. */
  void quarantine(byte[] key) {
    later(new Quarantine(key));
  }

  private <R> void later(Transition<R> transition) {
    Request.Terms terms = new Request.Terms(clock().monotonicNs(), 0, Durability.BUFFERED);
    try {
      loop.submit(Request.listening(transition, terms, answered -> {}));
    } catch (RuntimeException e) {
      // Closed, poisoned or overloaded: the next reader will see to it.
      LOG.debug("work in the background was refused", e);
    }
  }

  private Request.Terms terms(long waitNs) {
    return new Request.Terms(clock().monotonicNs(), waitNs, durability);
  }
}

package io.millrace.engine;

import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.calls.CallLimits;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Operations on many leases at once: one request, one commit, an answer for each. Any thread. */
final class BulkLeases {

  private final Submitter submitter;

  BulkLeases(Submitter submitter) {
    this.submitter = submitter;
  }

  /** A function that makes one transition for several leases, with one result for each. */
  interface Step<R> extends Function<List<NamedLease>, Transition<List<R>>> {}

  static Step<FailResult> failing(String error, FailOptions how) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(how, "options");
    return named -> new Fail(named, error, how);
  }

  static Step<ExtendResult> extending(Duration duration) {
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    return named -> new Extend(named, duration);
  }

  /** Carries out a step that ends the leases; their handles are finished then. */
  <R> List<R> end(List<Lease> leases, Step<R> step) {
    List<R> results = keep(leases, step);
    handles(leases).forEach(LeaseHandle::markFinished);
    return results;
  }

  <R> CompletableFuture<List<R>> endAsync(List<Lease> leases, Step<R> step) {
    CompletableFuture<List<R>> future = keepAsync(leases, step);
    if (!future.isCompletedExceptionally()) {
      handles(leases).forEach(LeaseHandle::markFinished);
    }
    return future;
  }

  /** Carries out a step after which the leases go on. */
  <R> List<R> keep(List<Lease> leases, Step<R> step) {
    List<LeaseHandle> handles = handles(leases);
    return handles.isEmpty() ? List.of() : submitter.call(step.apply(named(handles)));
  }

  <R> CompletableFuture<List<R>> keepAsync(List<Lease> leases, Step<R> step) {
    List<LeaseHandle> handles = handles(leases);
    return handles.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : submitter.callAsync(step.apply(named(handles)), results -> results);
  }

  List<CompleteResult> complete(List<Completion> completions) {
    return CallLimits.completions(completions).isEmpty()
        ? List.of()
        : complete(completions, submitter::call);
  }

  CompletableFuture<List<CompleteResult>> completeAsync(List<Completion> completions) {
    return CallLimits.completions(completions).isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : complete(completions, complete -> submitter.callAsync(complete, results -> results));
  }

  private <T> T complete(List<Completion> completions, Function<Complete, T> call) {
    List<LeaseHandle> handles = handles(completions.stream().map(Completion::lease).toList());
    List<NamedLease> named = named(handles);
    Map<NamedLease, byte[]> results = new IdentityHashMap<>();
    for (int i = 0; i < named.size(); i++) {
      results.put(named.get(i), completions.get(i).result().clone());
    }
    T answer = call.apply(new Complete(named, results));
    if (!(answer instanceof CompletableFuture<?> future) || !future.isCompletedExceptionally()) {
      handles.forEach(LeaseHandle::markFinished);
    }
    return answer;
  }

  private List<LeaseHandle> handles(List<Lease> leases) {
    return CallLimits.leases(leases, LeaseHandle.class, lease -> lease.isOf(submitter));
  }

  private static List<NamedLease> named(List<LeaseHandle> handles) {
    return handles.stream().map(LeaseHandle::named).toList();
  }
}

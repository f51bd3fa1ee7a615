package io.millrace.client;

import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.api.ReleaseResult;
import io.millrace.calls.CallLimits;
import io.millrace.options.Checks;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Operations on many leases at once: one call, one commit, an answer for each. Any thread. */
final class RemoteLeases {

  private final Caller caller;

  RemoteLeases(Caller caller) {
    this.caller = caller;
  }

  CompletableFuture<List<CompleteResult>> complete(List<Lease> leases) {
    return end(
        handles(leases),
        refs -> {
          List<LeaseCalls.Finished> jobs =
              refs.stream().map(ref -> new LeaseCalls.Finished(ref, Optional.empty())).toList();
          return completing(jobs);
        });
  }

  CompletableFuture<List<CompleteResult>> completeWithResults(List<Completion> completions) {
    List<RemoteLease> handles =
        handles(CallLimits.completions(completions).stream().map(Completion::lease).toList());
    return end(
        handles,
        refs -> {
          List<LeaseCalls.Finished> jobs = new ArrayList<>(refs.size());
          for (int i = 0; i < refs.size(); i++) {
            jobs.add(
                new LeaseCalls.Finished(refs.get(i), Optional.of(completions.get(i).result())));
          }
          return completing(jobs);
        });
  }

  private CompletableFuture<List<CompleteResult>> completing(List<LeaseCalls.Finished> jobs) {
    return caller.later(
        new LeaseCalls.Complete(jobs, caller.durability()), LeaseCalls.Complete.Answer::results);
  }

  CompletableFuture<List<FailResult>> fail(List<Lease> leases, String error, FailOptions how) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(how, "options");
    return end(
        handles(leases),
        refs ->
            caller.later(
                new LeaseCalls.Fail(refs, error, how, caller.durability()),
                LeaseCalls.Fail.Answer::results));
  }

  CompletableFuture<List<ReleaseResult>> release(List<Lease> leases) {
    return end(
        handles(leases),
        refs ->
            caller.later(
                new LeaseCalls.Release(refs, Optional.empty(), caller.durability()),
                LeaseCalls.Release.Answer::results));
  }

  CompletableFuture<List<ExtendResult>> extend(List<Lease> leases, Duration duration) {
    Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    List<RemoteLease> handles = handles(leases);
    return call(
        handles,
        refs ->
            caller.later(
                new LeaseCalls.Extend(refs, duration, caller.durability()),
                answer -> extended(handles, answer.results())));
  }

  private static List<ExtendResult> extended(
      List<RemoteLease> handles, List<ExtendResult> results) {
    for (int i = 0; i < handles.size(); i++) {
      var unused = handles.get(i).held().extended(results.get(i));
    }
    return results;
  }

  private List<RemoteLease> handles(List<Lease> leases) {
    return CallLimits.leases(leases, RemoteLease.class, lease -> lease.isOf(caller));
  }

  private static <R> CompletableFuture<List<R>> end(
      List<RemoteLease> handles, Function<List<LeaseRef>, CompletableFuture<List<R>>> step) {
    CompletableFuture<List<R>> ending = call(handles, step);
    handles.forEach(
        handle -> {
          var unused = handle.held().ending(ending);
        });
    return ending;
  }

  /** Waits for an end of the leases; see {@link HeldLease#markUnfinished}. */
  static <R> List<R> ended(List<Lease> leases, CompletableFuture<List<R>> ending) {
    try {
      return Caller.await(ending);
    } catch (OutcomeUnknownException e) {
      leases.forEach(lease -> ((RemoteLease) lease).held().markUnfinished());
      throw e;
    }
  }

  private static <R> CompletableFuture<List<R>> call(
      List<RemoteLease> handles, Function<List<LeaseRef>, CompletableFuture<List<R>>> step) {
    return handles.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : step.apply(handles.stream().map(handle -> handle.held().ref()).toList());
  }
}

package io.millrace.server;

import static io.millrace.server.Handler.blocking;
import static io.millrace.server.Handler.later;
import static io.millrace.server.Handler.waiting;
import static io.millrace.server.Role.WORK;

import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.JobQueues;
import io.millrace.api.Lease;
import io.millrace.api.ReleaseResult;
import io.millrace.api.WaitResult;
import io.millrace.protocol.Granted;
import io.millrace.protocol.LeaseCalls;
import io.millrace.protocol.LeaseRef;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The handlers of claims, and of those who hold leases. */
final class LeaseHandlers {

  static final List<Handler<?, ?>> ALL =
      List.of(
          waiting(
              LeaseCalls.Claim.class,
              WORK,
              LeaseHandlers::claim,
              leases -> new LeaseCalls.Claim.Answer(leases.stream().map(Granted::of).toList()),
              (queues, answer) -> release(queues, answer.leases())),
          blocking(
              LeaseCalls.LookAtLease.class,
              WORK,
              (queues, call) ->
                  new LeaseCalls.LookAtLease.Answer(Granted.of(lease(queues, call.lease())))),
          later(
              LeaseCalls.Complete.class,
              WORK,
              (queues, call) ->
                  complete(Handlers.as(queues, call.durability()), call.jobs())
                      .thenApply(LeaseCalls.Complete.Answer::new)),
          later(
              LeaseCalls.Fail.class,
              WORK,
              (queues, call) ->
                  Handlers.as(queues, call.durability())
                      .failAllAsync(leases(queues, call.leases()), call.error(), call.options())
                      .thenApply(LeaseCalls.Fail.Answer::new)),
          later(
              LeaseCalls.Release.class,
              WORK,
              (queues, call) ->
                  release(Handlers.as(queues, call.durability()), call)
                      .thenApply(LeaseCalls.Release.Answer::new)),
          later(
              LeaseCalls.Snooze.class,
              WORK,
              (queues, call) ->
                  snooze(lease(Handlers.as(queues, call.durability()), call.lease()), call)
                      .thenApply(LeaseCalls.Snooze.Answer::new)),
          later(
              LeaseCalls.WaitFor.class,
              WORK,
              (queues, call) ->
                  waitFor(lease(Handlers.as(queues, call.durability()), call.lease()), call)
                      .thenApply(LeaseCalls.WaitFor.Answer::new)),
          later(
              LeaseCalls.Extend.class,
              WORK,
              (queues, call) ->
                  Handlers.as(queues, call.durability())
                      .extendAllAsync(leases(queues, call.leases()), call.duration())
                      .thenApply(LeaseCalls.Extend.Answer::new)),
          later(
              LeaseCalls.Checkpoint.class,
              WORK,
              (queues, call) ->
                  lease(Handlers.as(queues, call.durability()), call.lease())
                      .checkpointAsync(call.state())
                      .thenApply(LeaseCalls.Checkpoint.Answer::new)));

  private LeaseHandlers() {}

  private static Lease lease(JobQueues queues, LeaseRef named) {
    return queues.lease(named.jobId(), named.token());
  }

  private static List<Lease> leases(JobQueues queues, List<LeaseRef> named) {
    return named.stream().map(each -> lease(queues, each)).toList();
  }

  /** Releases jobs that were claimed and that nobody received. */
  static void release(JobQueues queues, List<Granted> granted) {
    if (!granted.isEmpty()) {
      var unused =
          queues.releaseAllAsync(
              granted.stream().map(each -> queues.lease(each.jobId(), each.token())).toList());
    }
  }

  private static CompletableFuture<List<Lease>> claim(JobQueues queues, LeaseCalls.Claim call) {
    if (call.tenantsOf().isEmpty()) {
      return queues.claimAsync(call.queues(), call.options());
    }
    if (!call.queues().isEmpty()) {
      throw new IllegalArgumentException("queues and tenantsOf are both given: give one");
    }
    return queues.claimAcrossTenantsAsync(call.tenantsOf(), call.options());
  }

  /**
   * Completes jobs with results and jobs without; a job without one is not kept with an empty one.
   */
  private static CompletableFuture<List<CompleteResult>> complete(
      JobQueues queues, List<LeaseCalls.Finished> jobs) {
    List<Lease> without = new ArrayList<>();
    List<Completion> with = new ArrayList<>();
    for (LeaseCalls.Finished job : jobs) {
      Lease lease = lease(queues, job.lease());
      job.result()
          .ifPresentOrElse(
              result -> with.add(new Completion(lease, result)), () -> without.add(lease));
    }
    if (with.isEmpty()) {
      return queues.completeAllAsync(without);
    }
    CompletableFuture<List<CompleteResult>> results = queues.completeAllWithResultsAsync(with);
    return without.isEmpty()
        ? results
        : results.thenCombine(
            queues.completeAllAsync(without), (some, others) -> inOrder(jobs, some, others));
  }

  private static List<CompleteResult> inOrder(
      List<LeaseCalls.Finished> jobs, List<CompleteResult> with, List<CompleteResult> without) {
    Iterator<CompleteResult> some = with.iterator();
    Iterator<CompleteResult> others = without.iterator();
    return jobs.stream()
        .map(job -> job.result().isPresent() ? some.next() : others.next())
        .toList();
  }

  private static CompletableFuture<List<ReleaseResult>> release(
      JobQueues queues, LeaseCalls.Release call) {
    if (call.rest().isEmpty()) {
      return queues.releaseAllAsync(leases(queues, call.leases()));
    }
    if (call.leases().size() != 1) {
      throw new IllegalArgumentException(
          "restMs is for one lease: leases=" + call.leases().size() + "; release each by itself");
    }
    return lease(queues, call.leases().get(0)).releaseAsync(call.rest().get()).thenApply(List::of);
  }

  private static CompletableFuture<ReleaseResult> snooze(Lease lease, LeaseCalls.Snooze call) {
    if (call.until().isPresent() == call.delay().isPresent()) {
      throw new IllegalArgumentException("give one of untilMs and delayMs");
    }
    return call.until().isPresent()
        ? lease.snoozeAsync(call.until().get())
        : lease.snoozeAsync(call.delay().get());
  }

  private static CompletableFuture<WaitResult> waitFor(Lease lease, LeaseCalls.WaitFor call) {
    if (call.signal().isPresent() == call.batch().isPresent()) {
      throw new IllegalArgumentException("give one of signal and batch");
    }
    if (call.deadline().isPresent() && call.most().isPresent()) {
      throw new IllegalArgumentException("deadlineMs and mostMs are both given: give one");
    }
    if (call.batch().isPresent()) {
      return lease.waitForAsync(call.batch().get());
    }
    String signal = call.signal().orElseThrow();
    if (call.deadline().isPresent()) {
      return lease.waitForAsync(signal, call.deadline().get());
    }
    return call.most().isPresent()
        ? lease.waitForAsync(signal, call.most().get())
        : lease.waitForAsync(signal);
  }
}

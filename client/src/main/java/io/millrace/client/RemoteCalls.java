package io.millrace.client;

import io.millrace.api.Batches;
import io.millrace.api.CancelResult;
import io.millrace.api.CheckReturnValue;
import io.millrace.api.ClaimOptions;
import io.millrace.api.Codec;
import io.millrace.api.CompleteResult;
import io.millrace.api.Completion;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobAdmin;
import io.millrace.api.JobEnd;
import io.millrace.api.JobEvent;
import io.millrace.api.JobId;
import io.millrace.api.JobListener;
import io.millrace.api.JobListening;
import io.millrace.api.JobQueue;
import io.millrace.api.JobSignals;
import io.millrace.api.Lease;
import io.millrace.api.QueueLeaseResult;
import io.millrace.api.QueueName;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.Table;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.calls.TableCodecs;
import io.millrace.engine.noted.Noted;
import io.millrace.engine.noted.Troubles;
import io.millrace.options.Checks;
import io.millrace.protocol.JobCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The queues of a server, as far as each operation is a call of the protocol. Whoever has the
 * connection adds what belongs to it: transactions, and the end. Any thread.
 */
abstract class RemoteCalls extends RemoteReads implements Noted {

  RemoteCalls(Caller caller) {
    super(caller);
  }

  @Override
  public JobQueue queue(QueueName name) {
    return new RemoteQueue(caller(), name);
  }

  @Override
  public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
    return new RemoteTable<>(caller(), new TableCodecs<>(name, keys, values));
  }

  @Override
  @CheckReturnValue
  public List<Lease> claim(List<QueueName> queues, ClaimOptions claim) {
    return Caller.awaitOrEnd(claimAsync(queues, claim), List.of());
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<Lease>> claimAsync(List<QueueName> queues, ClaimOptions claim) {
    return RemoteClaims.claim(caller(), queues, claim);
  }

  @Override
  @CheckReturnValue
  public List<Lease> claimAcrossTenants(List<String> queueNames, ClaimOptions claim) {
    return Caller.awaitOrEnd(claimAcrossTenantsAsync(queueNames, claim), List.of());
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<Lease>> claimAcrossTenantsAsync(
      List<String> queueNames, ClaimOptions claim) {
    return RemoteClaims.claimAcrossTenants(caller(), queueNames, claim);
  }

  @Override
  public Lease lease(JobId job, long token) {
    return RemoteLease.told(caller(), job, token);
  }

  @Override
  @CheckReturnValue
  public QueueLeaseResult leaseQueue(QueueName queue, String worker, Duration duration) {
    return RemoteQueueLease.lease(caller(), queue, worker, duration);
  }

  private RemoteLeases leases() {
    return new RemoteLeases(caller());
  }

  @Override
  @CheckReturnValue
  public List<CompleteResult> completeAll(List<Lease> leases) {
    return RemoteLeases.ended(leases, completeAllAsync(leases));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<CompleteResult>> completeAllAsync(List<Lease> leases) {
    return leases().complete(leases);
  }

  @Override
  @CheckReturnValue
  public List<CompleteResult> completeAllWithResults(List<Completion> completions) {
    CompletableFuture<List<CompleteResult>> completing = completeAllWithResultsAsync(completions);
    return RemoteLeases.ended(completions.stream().map(Completion::lease).toList(), completing);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<CompleteResult>> completeAllWithResultsAsync(
      List<Completion> completions) {
    return leases().completeWithResults(completions);
  }

  @Override
  @CheckReturnValue
  public List<FailResult> failAll(List<Lease> leases, String error, FailOptions how) {
    return RemoteLeases.ended(leases, failAllAsync(leases, error, how));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<FailResult>> failAllAsync(
      List<Lease> leases, String error, FailOptions how) {
    return leases().fail(leases, error, how);
  }

  @Override
  @CheckReturnValue
  public List<ReleaseResult> releaseAll(List<Lease> leases) {
    return RemoteLeases.ended(leases, releaseAllAsync(leases));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<ReleaseResult>> releaseAllAsync(List<Lease> leases) {
    return leases().release(leases);
  }

  @Override
  @CheckReturnValue
  public List<ExtendResult> extendAll(List<Lease> leases, Duration duration) {
    return Caller.await(extendAllAsync(leases, duration));
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<List<ExtendResult>> extendAllAsync(
      List<Lease> leases, Duration duration) {
    return leases().extend(leases, duration);
  }

  @Override
  @CheckReturnValue
  public CancelResult cancel(JobId id) {
    return cancel(id, false);
  }

  @Override
  @CheckReturnValue
  public CancelResult cancelIfWaiting(JobId id) {
    return cancel(id, true);
  }

  private CancelResult cancel(JobId id, boolean onlyIfWaiting) {
    Objects.requireNonNull(id, "id");
    return caller().ask(new JobCalls.Cancel(id, onlyIfWaiting, caller().durability())).result();
  }

  @Override
  @CheckReturnValue
  public RescheduleResult reschedule(JobId id, Instant visibleAt) {
    Objects.requireNonNull(id, "id");
    Checks.instant("visibleAt", visibleAt);
    return caller().ask(new JobCalls.Reschedule(id, visibleAt, caller().durability())).result();
  }

  @Override
  @CheckReturnValue
  public UpdateResult update(JobId id, UpdateOptions changes) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(changes, "changes");
    return caller().ask(new JobCalls.Update(id, changes, caller().durability())).result();
  }

  @Override
  public Batches batches() {
    return new RemoteBatches(caller());
  }

  @Override
  public JobSignals signals() {
    return new RemoteSignals(caller());
  }

  @Override
  public JobAdmin admin() {
    return new RemoteAdmin(this);
  }

  @Override
  @CheckReturnValue
  public CompletableFuture<JobEnd<byte[]>> await(JobId id) {
    return RemoteWaits.await(caller(), id);
  }

  @Override
  public Troubles troubles() {
    return caller().troubles();
  }

  /** Returns empty: tools that see this process do not see the server's engine. */
  @Override
  public Optional<String> seenAs() {
    return Optional.empty();
  }

  @Override
  public Runnable serve(Collection<QueueName> queues, Collection<String> tenantsOf) {
    return RemoteServing.begin(caller(), queues, tenantsOf)::close;
  }

  @Override
  public JobListening listen(JobListener listener) {
    return caller()
        .listenings()
        .listen(caller(), Optional.empty(), EnumSet.allOf(JobEvent.Kind.class), listener);
  }

  @Override
  public JobListening listen(QueueName queue, Set<JobEvent.Kind> kinds, JobListener listener) {
    caller().functions().check();
    return caller()
        .listenings()
        .listen(caller(), Optional.of(Objects.requireNonNull(queue, "queue")), kinds, listener);
  }
}

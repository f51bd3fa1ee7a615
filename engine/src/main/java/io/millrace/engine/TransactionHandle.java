package io.millrace.engine;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadLetters;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.Lease;
import io.millrace.api.Limits;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.Table;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.api.WaitResult;
import io.millrace.calls.CallLimits;
import io.millrace.calls.GatheringTransaction;
import io.millrace.calls.TableCodecs;
import io.millrace.calls.TransactionRows;
import io.millrace.calls.TransactionWithIds;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.job.Cancel;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.job.ReleaseJob;
import io.millrace.internal.transition.job.Reschedule;
import io.millrace.internal.transition.job.Update;
import io.millrace.internal.transition.lease.Checkpoint;
import io.millrace.internal.transition.lease.Complete;
import io.millrace.internal.transition.lease.Extend;
import io.millrace.internal.transition.lease.Fail;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.lease.Release;
import io.millrace.internal.transition.lease.Snooze;
import io.millrace.internal.transition.lease.WaitForTally;
import io.millrace.internal.transition.move.TallyRef;
import io.millrace.internal.transition.move.TallyTie;
import io.millrace.internal.transition.table.ChangeRows;
import io.millrace.internal.transition.table.MergeRow;
import io.millrace.internal.transition.table.RowChange;
import io.millrace.internal.transition.tally.MarkTally;
import io.millrace.internal.transition.transact.TransactionPart;
import io.millrace.options.Checks;
import io.millrace.tables.RowMerge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A call of a transaction's function, which gathers the operations that the function asks for until
 * it returns. Belongs to one thread; only the answers may be looked at by any.
 */
final class TransactionHandle extends GatheringTransaction implements TransactionWithIds {

  private final Submitter submitter;
  private final TransactionTold told;
  private final List<TransactionPart> parts = new ArrayList<>();
  private final Map<JobId, LeaseHandle> ended = new HashMap<>(2);
  private final Map<LeaseHandle, byte[]> states = new IdentityHashMap<>(2);

  TransactionHandle(Submitter submitter, TransactionTold told, TransactionRows rows) {
    super(rows);
    this.submitter = submitter;
    this.told = told;
  }

  /** Returns the operations that were gathered. */
  List<TransactionPart> parts() {
    return parts;
  }

  /**
   * Keeps the answers of the transaction, which has committed, and marks the leases that it ended
   * or checkpointed.
   */
  void committed(List<Object> results) {
    answered(results);
    states.forEach(LeaseHandle::markCheckpointed);
    ended.values().forEach(LeaseHandle::markFinished);
  }

  @Override
  protected <K, V> TableCodecs<K, V> codecs(Table<K, V> table) {
    return CodedTable.codecs(table, submitter);
  }

  @Override
  protected int size() {
    return parts.size();
  }

  @Override
  protected void putRow(String table, byte[] key, byte[] value) {
    parts.add(new TransactionPart.OnRow(new ChangeRows(table, RowChange.put(key, value))));
  }

  @Override
  protected void deleteRow(String table, byte[] key) {
    parts.add(new TransactionPart.OnRow(new ChangeRows(table, RowChange.delete(key))));
  }

  @Override
  protected void mergeRow(String table, byte[] key, RowMerge merge) {
    parts.add(new TransactionPart.OnRow(new MergeRow(table, key, merge)));
  }

  @Override
  protected byte[] mergedRow(Object answer) {
    return (byte[]) answer;
  }

  @Override
  protected boolean isRowDeleted(Object answer) {
    return ((ChangeRows.Outcome) answer).isChanged();
  }

  @Override
  public JobId enqueue(QueueName queue, byte[] payload, EnqueueOptions options) {
    begin();
    Objects.requireNonNull(queue, "queue");
    NewJob job = new NewJob(payload, options);
    return enqueue(queue, job, TallyTie.of(options));
  }

  private JobId enqueue(QueueName queue, NewJob job, TallyTie tie) {
    count(job.contentBytes());
    return enqueue(
        queue, job, tie, told.next(submitter, queue, job.options().priority(), parts.size()));
  }

  private JobId enqueue(QueueName queue, NewJob job, TallyTie tie, TransactionTold.ForJob known) {
    Enqueue enqueue = new Enqueue(queue, job, known.address(), tie);
    parts.add(new TransactionPart.NewJob(enqueue, known.holder()));
    return known.holder() == null ? known.address().toJobId() : known.holder();
  }

  @Override
  public boolean areIdsGone() {
    return told.areIdsGone();
  }

  @Override
  public JobId enqueue(QueueName queue, NewJob job, JobId id, Optional<JobId> holder) {
    begin();
    Optional<JobAddress> address = JobAddress.of(id);
    if (address.isEmpty() || address.get().priority() != job.options().priority()) {
      throw new IllegalArgumentException(
          "id is of no job of this priority: value="
              + id
              + ", priority="
              + job.options().priority());
    }
    count(job.contentBytes());
    return enqueue(
        queue, job, TallyTie.of(job.options()), told.forJob(address.get(), holder, parts.size()));
  }

  @Override
  public BatchId start(Batch batch) {
    return begin(batch, true, Optional.empty());
  }

  @Override
  public BatchId open(Batch batch) {
    return begin(batch, false, Optional.empty());
  }

  @Override
  public void begin(Batch batch, boolean isOpen, BatchId id) {
    begin(batch, !isOpen, Optional.of(id));
  }

  /** Adds all that the beginning of the batch takes, or nothing if something is refused. */
  private BatchId begin(Batch batch, boolean isSealed, Optional<BatchId> known) {
    begin();
    Objects.requireNonNull(batch, "batch");
    int partCount = parts.size();
    long bytes = contentBytes();
    try {
      BatchId id = opened(batch, known);
      if (isSealed) {
        seal(id);
      }
      return id;
    } catch (RuntimeException e) {
      parts.subList(partCount, parts.size()).clear();
      contentBytes(bytes);
      throw e;
    }
  }

  private BatchId opened(Batch batch, Optional<BatchId> known) {
    count(0);
    TallyRef tally =
        TallyRef.of(
            known.map(BatchId::value).orElseGet(() -> told.nextTally(submitter, parts.size())));
    parts.add(new TransactionPart.NewTally(BatchParts.opening(batch, tally)));
    for (Batch.Placed placed : batch.jobs()) {
      enqueue(placed.queue(), placed.job(), TallyTie.to(tally));
    }
    batch
        .following()
        .forEach(
            (after, placed) ->
                enqueue(placed.queue(), placed.job(), BatchParts.tie(placed, tally, after)));
    return new BatchId(tally.number());
  }

  @Override
  public AfterCommit<Boolean> seal(BatchId batch) {
    Objects.requireNonNull(batch, "batch");
    return onJob(MarkTally.sealed(TallyRef.of(batch.value())), 0);
  }

  @Override
  public void complete(Lease lease) {
    end(lease, 0, named -> new Complete(List.of(named)));
  }

  @Override
  public void complete(Lease lease, byte[] result) {
    byte[] copy = Checks.bytes("result", result, Limits.RESULT_BYTES_MAX).clone();
    end(lease, copy.length, named -> new Complete(List.of(named), Map.of(named, copy)));
  }

  @Override
  public AfterCommit<FailResult> fail(Lease lease, String error, FailOptions options) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(options, "options");
    return end(lease, 0, named -> new Fail(List.of(named), error, options));
  }

  @Override
  public AfterCommit<ReleaseResult> release(Lease lease) {
    return end(lease, 0, named -> new Release(List.of(named)));
  }

  @Override
  public AfterCommit<ReleaseResult> snooze(Lease lease, Instant until) {
    long untilMs = Checks.instant("until", until).toEpochMilli();
    return snooze(lease, new Snooze.Until(Snooze.Until.Kind.INSTANT, untilMs));
  }

  @Override
  public AfterCommit<ReleaseResult> snooze(Lease lease, Duration delay) {
    long delayMs = Checks.upTo("delay", delay, Limits.DELAY_MAX).toMillis();
    return snooze(lease, new Snooze.Until(Snooze.Until.Kind.DELAY, delayMs));
  }

  private AfterCommit<ReleaseResult> snooze(Lease lease, Snooze.Until until) {
    return end(lease, 0, named -> new Snooze(List.of(named), until));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal) {
    return end(lease, 0, named -> SignalWaits.waiting(named, signal));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal, Duration most) {
    return end(lease, 0, named -> SignalWaits.waiting(named, signal, most));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal, Instant deadline) {
    return end(lease, 0, named -> SignalWaits.waiting(named, signal, deadline));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, BatchId batch) {
    Objects.requireNonNull(batch, "batch");
    return end(lease, 0, named -> new WaitForTally(named, batch.value()));
  }

  @Override
  public AfterCommit<SignalResult> signal(JobId id, String signal, byte[] payload) {
    Objects.requireNonNull(id, "id");
    return onJob(SignalWaits.sending(List.of(id), signal, payload), payload.length);
  }

  @Override
  public AfterCommit<ExtendResult.Extended> extend(Lease lease, Duration duration) {
    Duration length = Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    return onLease(lease, 0, named -> new Extend(List.of(named), length));
  }

  @Override
  public AfterCommit<ExtendResult.Extended> checkpoint(Lease lease, byte[] state) {
    byte[] copy = Checks.bytes("state", state, Limits.CHECKPOINT_BYTES_MAX).clone();
    AfterCommit<ExtendResult.Extended> answer =
        onLease(lease, copy.length, named -> new Checkpoint(named, copy));
    states.put((LeaseHandle) lease, copy);
    return answer;
  }

  @Override
  public AfterCommit<CancelResult> cancel(JobId id) {
    return onJob(Cancel.orMark(Objects.requireNonNull(id, "id")), 0);
  }

  @Override
  public AfterCommit<CancelResult> cancelIfWaiting(JobId id) {
    return onJob(Cancel.ifWaiting(Objects.requireNonNull(id, "id")), 0);
  }

  @Override
  public AfterCommit<JobReleaseResult> release(JobId id) {
    return onJob(new ReleaseJob(Objects.requireNonNull(id, "id")), 0);
  }

  @Override
  public AfterCommit<RescheduleResult> reschedule(JobId id, Instant visibleAt) {
    Objects.requireNonNull(id, "id");
    return onJob(new Reschedule(id, Checks.instant("visibleAt", visibleAt)), 0);
  }

  @Override
  public AfterCommit<UpdateResult> update(JobId id, UpdateOptions changes) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(changes, "changes");
    return onJob(new Update(id, changes), changes.payload().map(bytes -> bytes.length).orElse(0));
  }

  @Override
  public AfterCommit<RedriveResult> redrive(JobId id, DeadLetters.Checkpointed checkpointed) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(checkpointed, "checkpointed");
    return onJob(new Redrive(List.of(id), checkpointed), 0);
  }

  private <T> AfterCommit<T> onJob(Operation<?> operation, int bytes) {
    begin();
    count(bytes);
    return add(new TransactionPart.OnJob(operation));
  }

  /** A function that makes the operation on a lease that its holder wants. */
  private interface Wanted {
    Operation<?> of(NamedLease named);
  }

  private <T> AfterCommit<T> end(Lease lease, int bytes, Wanted ending) {
    AfterCommit<T> answer = onLease(lease, bytes, ending);
    LeaseHandle handle = (LeaseHandle) lease;
    ended.put(handle.jobId(), handle);
    return answer;
  }

  private <T> AfterCommit<T> onLease(Lease lease, int bytes, Wanted wanted) {
    begin();
    Objects.requireNonNull(lease, "lease");
    LeaseHandle handle =
        CallLimits.leases(List.of(lease), LeaseHandle.class, own -> own.isOf(submitter)).get(0);
    NamedLease named = handle.named();
    Operation<?> operation = wanted.of(named);
    JobId job = handle.jobId();
    if (ended.containsKey(job)) {
      throw new IllegalArgumentException(
          "a lease of the job is ended in this transaction already, it may be ended once: job="
              + job);
    }
    count(bytes);
    return add(new TransactionPart.OnLease(job, named, operation));
  }

  private <T> AfterCommit<T> add(TransactionPart part) {
    int place = parts.size();
    parts.add(part);
    return () -> answer(place);
  }
}

package io.millrace.client;

import io.millrace.api.AfterCommit;
import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.Codec;
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
import io.millrace.options.Checks;
import io.millrace.protocol.LeaseRef;
import io.millrace.protocol.TransactionCalls.Step;
import io.millrace.protocol.TransactionCalls.StepAnswer;
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
import java.util.function.Function;

/**
 * A call of the function of a transaction that a server is to carry out: gathers the steps that the
 * function asks for. Belongs to one thread; only the answers may be looked at by any.
 */
final class RemoteTransaction extends GatheringTransaction {

  private final Caller caller;
  private final ToldIds ids;
  private final List<Step> steps = new ArrayList<>();
  private final Map<JobId, HeldLease> ended = new HashMap<>(2);
  private final Map<HeldLease, byte[]> states = new IdentityHashMap<>(2);

  RemoteTransaction(Caller caller, ToldIds ids, TransactionRows rows) {
    super(rows);
    this.caller = caller;
    this.ids = ids;
  }

  /** Returns the steps that were gathered. */
  List<Step> steps() {
    return steps;
  }

  /**
   * Keeps the answers of the transaction, which has committed, and takes note of the leases that it
   * ended or checkpointed.
   */
  void committed(List<StepAnswer> answers) {
    answered(new ArrayList<>(answers));
    states.forEach(HeldLease::markCheckpointed);
    ended.values().forEach(HeldLease::markFinished);
  }

  @Override
  protected <K, V> TableCodecs<K, V> codecs(Table<K, V> table) {
    Objects.requireNonNull(table, "table");
    if (table instanceof RemoteTable<K, V> remote && remote.isOf(caller)) {
      return remote.codecs();
    }
    throw new IllegalArgumentException("table is not of this engine: table=" + table.name());
  }

  @Override
  protected int size() {
    return steps.size();
  }

  @Override
  protected void putRow(String table, byte[] key, byte[] value) {
    steps.add(new Step.Put(table, key, value));
  }

  @Override
  protected void deleteRow(String table, byte[] key) {
    steps.add(new Step.Delete(table, key));
  }

  @Override
  protected void mergeRow(String table, byte[] key, RowMerge merge) {
    steps.add(
        switch (merge.kind()) {
          case ADD -> new Step.Add(table, key, Codec.LONG.decode(merge.with()));
          case MAX -> new Step.Max(table, key, Codec.LONG.decode(merge.with()));
          case APPEND -> new Step.Append(table, key, merge.with());
        });
  }

  @Override
  protected byte[] mergedRow(Object answer) {
    return answer instanceof StepAnswer.Total total
        ? Codec.LONG.encode(total.value())
        : ((StepAnswer.Content) answer).value();
  }

  @Override
  protected boolean isRowDeleted(Object answer) {
    return ((StepAnswer.Found) answer).value();
  }

  @Override
  public JobId enqueue(QueueName queue, byte[] payload, EnqueueOptions options) {
    begin();
    Objects.requireNonNull(queue, "queue");
    NewJob job = new NewJob(payload, options);
    count(job.contentBytes());
    int index = steps.size();
    JobId id = ids.job(index, queue, options.priority());
    Optional<JobId> holder = ids.holder(index);
    steps.add(new Step.Enqueue(queue, job, Optional.of(id), holder));
    return holder.orElse(id);
  }

  @Override
  public BatchId start(Batch batch) {
    return begin(batch, false);
  }

  @Override
  public BatchId open(Batch batch) {
    return begin(batch, true);
  }

  private BatchId begin(Batch batch, boolean isOpen) {
    begin();
    Objects.requireNonNull(batch, "batch");
    int operations = isOpen ? 1 : 2; // the batch, and its seal
    int bytes = 0;
    for (Batch.Placed placed : batch.jobs()) {
      operations++;
      bytes += placed.job().contentBytes();
    }
    for (Batch.Placed placed : batch.following().values()) {
      operations++;
      bytes += placed.job().contentBytes();
    }
    count(operations, bytes);
    BatchId id = ids.batch(steps.size());
    steps.add(new Step.Begin(batch, isOpen, Optional.of(id)));
    return id;
  }

  @Override
  public AfterCommit<Boolean> seal(BatchId batch) {
    Objects.requireNonNull(batch, "batch");
    return add(new Step.Seal(batch), 0, StepAnswer.Found::value);
  }

  @Override
  public void complete(Lease lease) {
    end(lease, 0, ref -> new Step.Complete(ref, Optional.empty()));
  }

  @Override
  public void complete(Lease lease, byte[] result) {
    byte[] copy = Checks.bytes("result", result, Limits.RESULT_BYTES_MAX).clone();
    end(lease, copy.length, ref -> new Step.Complete(ref, Optional.of(copy)));
  }

  @Override
  public AfterCommit<FailResult> fail(Lease lease, String error, FailOptions options) {
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(options, "options");
    int index = end(lease, 0, ref -> new Step.Fail(ref, error, options));
    return () -> this.<StepAnswer.Failed>answer(index).result();
  }

  @Override
  public AfterCommit<ReleaseResult> release(Lease lease) {
    return released(end(lease, 0, Step.Release::new));
  }

  @Override
  public AfterCommit<ReleaseResult> snooze(Lease lease, Instant until) {
    Optional<Instant> at = Optional.of(Checks.instant("until", until));
    return released(end(lease, 0, ref -> new Step.Snooze(ref, at, Optional.empty())));
  }

  @Override
  public AfterCommit<ReleaseResult> snooze(Lease lease, Duration delay) {
    Optional<Duration> length = Optional.of(Checks.upTo("delay", delay, Limits.DELAY_MAX));
    return released(end(lease, 0, ref -> new Step.Snooze(ref, Optional.empty(), length)));
  }

  private AfterCommit<ReleaseResult> released(int index) {
    return () -> this.<StepAnswer.Released>answer(index).result();
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal) {
    return waitFor(lease, signal, Optional.empty(), Optional.empty());
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal, Duration most) {
    Duration length = Checks.upTo("most", most, Limits.DELAY_MAX);
    return waitFor(lease, signal, Optional.empty(), Optional.of(length));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, String signal, Instant deadline) {
    Instant at = Checks.instant("deadline", deadline);
    return waitFor(lease, signal, Optional.of(at), Optional.empty());
  }

  private AfterCommit<WaitResult> waitFor(
      Lease lease, String signal, Optional<Instant> deadline, Optional<Duration> most) {
    Optional<String> name = Optional.of(CallLimits.signal(signal));
    return waiting(
        end(lease, 0, ref -> new Step.WaitFor(ref, name, deadline, most, Optional.empty())));
  }

  @Override
  public AfterCommit<WaitResult> waitFor(Lease lease, BatchId batch) {
    Optional<BatchId> id = Optional.of(Objects.requireNonNull(batch, "batch"));
    return waiting(
        end(
            lease,
            0,
            ref ->
                new Step.WaitFor(ref, Optional.empty(), Optional.empty(), Optional.empty(), id)));
  }

  private AfterCommit<WaitResult> waiting(int index) {
    return () -> this.<StepAnswer.Waiting>answer(index).result();
  }

  @Override
  public AfterCommit<ExtendResult.Extended> extend(Lease lease, Duration duration) {
    Duration length = Checks.inRange("duration", duration, Limits.LEASE_LEAST, Limits.LEASE_MAX);
    return extended(onLease(lease, 0, ref -> new Step.Extend(ref, length)));
  }

  @Override
  public AfterCommit<ExtendResult.Extended> checkpoint(Lease lease, byte[] state) {
    byte[] copy = Checks.bytes("state", state, Limits.CHECKPOINT_BYTES_MAX).clone();
    int index = onLease(lease, copy.length, ref -> new Step.Checkpoint(ref, copy));
    states.put(((RemoteLease) lease).held(), copy);
    return extended(index);
  }

  private AfterCommit<ExtendResult.Extended> extended(int index) {
    return () -> (ExtendResult.Extended) this.<StepAnswer.Extended>answer(index).result();
  }

  @Override
  public AfterCommit<CancelResult> cancel(JobId id) {
    return cancel(id, false);
  }

  @Override
  public AfterCommit<CancelResult> cancelIfWaiting(JobId id) {
    return cancel(id, true);
  }

  private AfterCommit<CancelResult> cancel(JobId id, boolean onlyIfWaiting) {
    Objects.requireNonNull(id, "id");
    return add(new Step.Cancel(id, onlyIfWaiting), 0, StepAnswer.Cancelled::result);
  }

  @Override
  public AfterCommit<JobReleaseResult> release(JobId id) {
    Objects.requireNonNull(id, "id");
    return add(new Step.ReleaseJob(id), 0, StepAnswer.JobReleased::result);
  }

  @Override
  public AfterCommit<RescheduleResult> reschedule(JobId id, Instant visibleAt) {
    Objects.requireNonNull(id, "id");
    Step step = new Step.Reschedule(id, Checks.instant("visibleAt", visibleAt));
    return add(step, 0, StepAnswer.Rescheduled::result);
  }

  @Override
  public AfterCommit<UpdateResult> update(JobId id, UpdateOptions changes) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(changes, "changes");
    int bytes = changes.payload().map(payload -> payload.length).orElse(0);
    return add(new Step.Update(id, changes), bytes, StepAnswer.Updated::result);
  }

  @Override
  public AfterCommit<SignalResult> signal(JobId id, String signal, byte[] payload) {
    Objects.requireNonNull(id, "id");
    byte[] copy = CallLimits.signalPayload(payload);
    Step step = new Step.Signal(id, CallLimits.signal(signal), copy);
    return add(step, copy.length, StepAnswer.Signalled::result);
  }

  @Override
  public AfterCommit<RedriveResult> redrive(JobId id, DeadLetters.Checkpointed checkpointed) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(checkpointed, "checkpointed");
    return add(new Step.Redrive(id, checkpointed), 0, StepAnswer.Redriven::result);
  }

  private <S extends StepAnswer, T> AfterCommit<T> add(Step step, int bytes, Function<S, T> told) {
    begin();
    count(bytes);
    int index = steps.size();
    steps.add(step);
    return () -> told.apply(this.<S>answer(index));
  }

  private int end(Lease lease, int bytes, Function<LeaseRef, Step> ending) {
    int index = onLease(lease, bytes, ending);
    RemoteLease handle = (RemoteLease) lease;
    ended.put(handle.jobId(), handle.held());
    return index;
  }

  private int onLease(Lease lease, int bytes, Function<LeaseRef, Step> wanted) {
    begin();
    Objects.requireNonNull(lease, "lease");
    RemoteLease handle =
        CallLimits.leases(List.of(lease), RemoteLease.class, own -> own.isOf(caller)).get(0);
    LeaseRef ref = handle.held().ref();
    if (ended.containsKey(ref.jobId())) {
      throw new IllegalArgumentException(
          "a lease of the job is ended in this transaction already, it may be ended once: job="
              + ref.jobId());
    }
    count(bytes);
    steps.add(wanted.apply(ref));
    return steps.size() - 1;
  }
}

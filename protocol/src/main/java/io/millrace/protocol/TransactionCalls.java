package io.millrace.protocol;

import io.millrace.api.Batch;
import io.millrace.api.BatchId;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadLetters;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueResult;
import io.millrace.api.ExtendResult;
import io.millrace.api.FailOptions;
import io.millrace.api.FailResult;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.ReleaseResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import io.millrace.api.WaitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Calls of transactions: what the function read and what it asked for, gathered by the caller; see
 * {@link io.millrace.api.JobQueues#transact}.
 */
public interface TransactionCalls {

  /** A call that tells ids for jobs that a transaction is to enqueue. */
  record ReserveJobs(QueueName queue, int priority, int count) implements Call<ReserveJobs.Answer> {
    public record Answer(List<JobId> jobIds) {}
  }

  /** A call that tells ids for batches that a transaction is to begin. */
  record ReserveBatches(int count) implements Call<ReserveBatches.Answer> {
    public record Answer(List<BatchId> batches) {}
  }

  /**
   * A call that carries out the steps in one commit, if the rows are still those that were read.
   *
   * @param reads the rows that the steps go by
   */
  record Transact(List<SeenRow> reads, List<Step> steps, Optional<Durability> durability)
      implements Call<Transact.Answer> {

    /** An end of a transaction, or what has changed. */
    public sealed interface Answer {}

    /** The answer of a transaction that was carried out, with that of each step. */
    public record Committed(List<StepAnswer> answers) implements Answer {}

    /** The answer of a transaction of which nothing happened: it ends a lease that has ended. */
    public record StaleLease(JobId jobId) implements Answer {}

    /** The answer of a transaction of which nothing happened: a queue takes no job. */
    public record Refused(EnqueueResult why) implements Answer {}

    /**
     * The answer of a transaction of which nothing happened: what it went by is no longer true.
     *
     * @param what what has changed, for people
     * @param rows those of the rows that are others now, as they are
     * @param holders the jobs that hold unique keys, by the steps that enqueue
     * @param areIdsGone whether the ids that were told are of no use any more
     */
    public record Changed(String what, List<SeenRow> rows, List<Holder> holders, boolean areIdsGone)
        implements Answer {}

    /** A job that holds the unique key of the one that a step enqueues; empty if none does. */
    public record Holder(int step, Optional<JobId> jobId) {}
  }

  /** A row as it was read; empty if it was not there. */
  record SeenRow(String table, byte[] key, Optional<byte[]> value) {}

  /** An operation of a transaction. Each is as the one of {@link io.millrace.api.Transaction}. */
  sealed interface Step {

    record Put(String table, byte[] key, byte[] value) implements Step {}

    record Delete(String table, byte[] key) implements Step {}

    record Add(String table, byte[] key, long delta) implements Step {}

    record Max(String table, byte[] key, long value) implements Step {}

    record Append(String table, byte[] key, byte[] value) implements Step {}

    /**
     * A job to enqueue.
     *
     * @param id an id that was told for it; without one the server finds an id
     * @param holder the job that holds its unique key, as far as the caller knows
     */
    record Enqueue(QueueName queue, NewJob job, Optional<JobId> id, Optional<JobId> holder)
        implements Step {}

    /**
     * A batch to begin.
     *
     * @param isOpen whether more jobs may be added until it is sealed
     * @param id an id that was told for it; without one the server finds an id
     */
    record Begin(Batch batch, boolean isOpen, Optional<BatchId> id) implements Step {}

    record Seal(BatchId batch) implements Step {}

    record Complete(LeaseRef lease, Optional<byte[]> result) implements Step {}

    record Fail(LeaseRef lease, String error, FailOptions options) implements Step {}

    record Release(LeaseRef lease) implements Step {}

    record Snooze(LeaseRef lease, Optional<Instant> until, Optional<Duration> delay)
        implements Step {}

    record WaitFor(
        LeaseRef lease,
        Optional<String> signal,
        Optional<Instant> deadline,
        Optional<Duration> most,
        Optional<BatchId> batch)
        implements Step {}

    record Extend(LeaseRef lease, Duration duration) implements Step {}

    record Checkpoint(LeaseRef lease, byte[] state) implements Step {}

    record Cancel(JobId jobId, boolean onlyIfWaiting) implements Step {}

    record ReleaseJob(JobId jobId) implements Step {}

    record Reschedule(JobId jobId, Instant visibleAt) implements Step {}

    record Update(JobId jobId, UpdateOptions changes) implements Step {}

    record Signal(JobId jobId, String signal, byte[] payload) implements Step {}

    record Redrive(JobId jobId, DeadLetters.Checkpointed checkpointed) implements Step {}
  }

  /** The answer of a step. */
  sealed interface StepAnswer {

    /** An answer of a step that has nothing to tell. */
    record Done() implements StepAnswer {}

    /** An answer whether a row was there, or a batch was sealed by this step. */
    record Found(boolean value) implements StepAnswer {}

    /** An answer with the number of a row. */
    record Total(long value) implements StepAnswer {}

    /** An answer with the bytes of a row. */
    record Content(byte[] value) implements StepAnswer {}

    record Enqueued(JobId jobId) implements StepAnswer {}

    record Begun(BatchId batch) implements StepAnswer {}

    record Failed(FailResult result) implements StepAnswer {}

    record Released(ReleaseResult result) implements StepAnswer {}

    record Waiting(WaitResult result) implements StepAnswer {}

    record Extended(ExtendResult result) implements StepAnswer {}

    record Cancelled(CancelResult result) implements StepAnswer {}

    record JobReleased(JobReleaseResult result) implements StepAnswer {}

    record Rescheduled(RescheduleResult result) implements StepAnswer {}

    record Updated(UpdateResult result) implements StepAnswer {}

    record Signalled(SignalResult result) implements StepAnswer {}

    record Redriven(RedriveResult result) implements StepAnswer {}
  }
}

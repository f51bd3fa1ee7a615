package io.millrace.protocol;

import io.millrace.api.BroadcastReport;
import io.millrace.api.CancelResult;
import io.millrace.api.DeadFilter;
import io.millrace.api.DeadLetters.Checkpointed;
import io.millrace.api.Durability;
import io.millrace.api.EnqueueResult;
import io.millrace.api.JobEnd;
import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.api.NewJob;
import io.millrace.api.QueueName;
import io.millrace.api.RedriveResult;
import io.millrace.api.RescheduleResult;
import io.millrace.api.SignalResult;
import io.millrace.api.StuckResult;
import io.millrace.api.UpdateOptions;
import io.millrace.api.UpdateResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Calls that make jobs, and that name jobs by their ids. */
public interface JobCalls {

  /** A call that enqueues jobs; see {@link io.millrace.api.JobQueue#offerAll}. */
  record Enqueue(QueueName queue, List<NewJob> jobs, Optional<Durability> durability)
      implements Call<Enqueue.Answer> {
    public record Answer(List<EnqueueResult> results) {}
  }

  /**
   * A call that enqueues a job whose end its caller waits for next; see {@link
   * io.millrace.api.JobQueue#submit(byte[], io.millrace.api.EnqueueOptions)}.
   */
  record Submit(QueueName queue, NewJob job, Optional<Durability> durability)
      implements Call<Submit.Answer> {

    /**
     * The answer, whether there is a job.
     *
     * @param jobId the job; empty if it was refused
     * @param refused why the queue did not take it; empty if there is a job
     */
    public record Answer(Optional<JobId> jobId, Optional<EnqueueResult> refused) {}
  }

  /**
   * A call that waits for the end of a job; see {@link io.millrace.api.JobQueues#await}.
   *
   * @param isSubmitted whether the caller has submitted the job: then its first end is told
   */
  record Await(JobId jobId, boolean isSubmitted) implements Call<Await.Answer> {
    public record Answer(JobEnd<byte[]> end) {}
  }

  /** A call that cancels a job; see {@link io.millrace.api.JobQueues#cancel}. */
  record Cancel(JobId jobId, boolean onlyIfWaiting, Optional<Durability> durability)
      implements Call<Cancel.Answer> {
    public record Answer(CancelResult result) {}
  }

  /** A call that changes the time of a job; see {@link io.millrace.api.JobQueues#reschedule}. */
  record Reschedule(JobId jobId, Instant visibleAt, Optional<Durability> durability)
      implements Call<Reschedule.Answer> {
    public record Answer(RescheduleResult result) {}
  }

  /**
   * A call that changes a job; see {@link io.millrace.api.JobQueues#update(JobId,
   * io.millrace.api.UpdateOptions)}.
   */
  record Update(JobId jobId, UpdateOptions changes, Optional<Durability> durability)
      implements Call<Update.Answer> {
    public record Answer(UpdateResult result) {}
  }

  /**
   * A call that ends the lease of whoever holds it; see {@link io.millrace.api.JobAdmin#release}.
   */
  record ReleaseJob(JobId jobId, Optional<Durability> durability)
      implements Call<ReleaseJob.Answer> {
    public record Answer(JobReleaseResult result) {}
  }

  /**
   * A call that fails a job whose attempts nobody makes; see {@link
   * io.millrace.api.JobAdmin#failStuck}.
   */
  record FailStuck(JobId jobId, String error, Optional<Durability> durability)
      implements Call<FailStuck.Answer> {
    public record Answer(StuckResult result) {}
  }

  /** A call that sends a signal to jobs; see {@link io.millrace.api.JobSignals#signalAll}. */
  record Signal(List<JobId> jobIds, String signal, byte[] payload, Optional<Durability> durability)
      implements Call<Signal.Answer> {
    public record Answer(List<SignalResult> results) {}
  }

  /**
   * A call that sends a signal to all jobs of a queue that wait for it; see {@link
   * io.millrace.api.JobSignals#broadcast(QueueName, String, byte[], Duration)}.
   */
  record Broadcast(
      QueueName queue,
      String signal,
      byte[] payload,
      Duration kept,
      Optional<Durability> durability)
      implements Call<Broadcast.Answer> {
    public record Answer(BroadcastReport report) {}
  }

  /** A call that brings a dead letter back; see {@link io.millrace.api.DeadLetters#redrive}. */
  record Redrive(
      QueueName queue, JobId jobId, Checkpointed checkpointed, Optional<Durability> durability)
      implements Call<Redrive.Answer> {
    public record Answer(RedriveResult result) {}
  }

  /**
   * A call that brings back all dead letters that match; see {@link io.millrace.api.DeadLetters}.
   */
  record RedriveAll(
      QueueName queue,
      DeadFilter filter,
      Checkpointed checkpointed,
      Optional<Durability> durability)
      implements Call<RedriveAll.Answer> {
    public record Answer(long count) {}
  }

  /** A call that deletes a dead letter; see {@link io.millrace.api.DeadLetters#delete}. */
  record DeleteDead(QueueName queue, JobId jobId, Optional<Durability> durability)
      implements Call<DeleteDead.Answer> {
    public record Answer(boolean found) {}
  }

  /**
   * A call that deletes all dead letters that match; see {@link
   * io.millrace.api.DeadLetters#deleteAll}.
   */
  record DeleteAllDead(QueueName queue, DeadFilter filter, Optional<Durability> durability)
      implements Call<DeleteAllDead.Answer> {
    public record Answer(long count) {}
  }
}

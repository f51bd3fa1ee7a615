package io.millrace.model;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.Comparator;
import java.util.Optional;

/** A job as the model keeps it: all in the open, changed by {@link ReferenceModel} only. */
final class ModelJob {

  /** Serving order. */
  static final Comparator<ModelJob> SERVING =
      Comparator.<ModelJob>comparingInt(job -> -job.options.priority())
          .thenComparingLong(job -> job.readyOrder);

  static final Comparator<ModelJob> BY_END_OF_WAIT =
      Comparator.<ModelJob>comparingLong(job -> job.waitEndMs).thenComparingInt(job -> job.number);

  static final Comparator<ModelJob> BY_DEATH =
      Comparator.<ModelJob>comparingLong(job -> job.diedAtMs).thenComparingInt(job -> job.number);

  /** Rises with every birth. */
  final int number;

  final QueueName queue;
  final long enqueuedAtMs;
  EnqueueOptions options;
  byte[] payload;
  JobState state = JobState.READY;
  int attempts;

  /** Ready sequence. */
  long readyOrder;

  /**
   * Jobs of different queues that became ready in the same step share it: their order is not
   * specified.
   */
  long readyStep;

  long readySinceMs;

  /** End of its wait: in steady time if it waits for a length, else in engine time. */
  long waitEndMs;

  /** Whether it waits for a length of time and not until an instant. */
  boolean isWaitOfLength;

  /** What the last counted attempt failed of, as far as a worker said it. */
  Optional<String> lastError = Optional.empty();

  /** Whether the last counted attempt ended by expiry, so that the engine chose the words. */
  boolean isErrorByEngine;

  long diedAtMs;

  /** Whether somebody asked for the job to be cancelled while it was leased. */
  boolean isCancelRequested;

  Optional<ModelLease> lease = Optional.empty();

  ModelJob(int number, QueueName queue, byte[] payload, EnqueueOptions options, long enqueuedAtMs) {
    this.number = number;
    this.queue = queue;
    this.payload = payload;
    this.options = options;
    this.enqueuedAtMs = enqueuedAtMs;
  }

  /** The end of its wait in engine time, if nobody sets the wall clock until then. */
  long visibleAtMs(ModelTime time) {
    return isWaitOfLength ? waitEndMs - time.steadyLeadMs() : waitEndMs;
  }

  @Override
  public String toString() {
    return "job " + number + " of " + queue + " " + state + " attempts=" + attempts;
  }
}

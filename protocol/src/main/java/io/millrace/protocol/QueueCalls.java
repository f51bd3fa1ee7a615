package io.millrace.protocol;

import io.millrace.api.ClaimOptions;
import io.millrace.api.DrainResult;
import io.millrace.api.Durability;
import io.millrace.api.JobState;
import io.millrace.api.LeasedQueue;
import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueName;
import io.millrace.api.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Calls on whole queues. */
public interface QueueCalls {

  /**
   * A call that changes the settings of a queue, or of all queues of a name, if they are still
   * those that are expected; see {@link io.millrace.api.JobQueue#configure}.
   *
   * @param queue the queue; empty if a name is given
   * @param queueName the name of the queues; empty if a queue is given
   */
  record Configure(
      Optional<QueueName> queue,
      Optional<String> queueName,
      QueueSettings expected,
      QueueSettings changed,
      Optional<Durability> durability)
      implements Call<Configure.Answer> {

    /**
     * The answer, whether the settings were changed.
     *
     * @param present those in force, if they are not those that were expected; nothing was changed
     */
    public record Answer(Optional<QueueSettings> present) {}
  }

  /** A call that stops claims of a queue; see {@link io.millrace.api.JobQueue#pause}. */
  record Pause(QueueName queue, Optional<Durability> durability) implements Call<Pause.Answer> {
    public record Answer() {}
  }

  /** A call that ends a pause; see {@link io.millrace.api.JobQueue#resume}. */
  record Resume(QueueName queue, Optional<Durability> durability) implements Call<Resume.Answer> {
    public record Answer() {}
  }

  /** A call that removes jobs of a queue; see {@link io.millrace.api.JobQueue#purge}. */
  record Purge(QueueName queue, Set<JobState> states, Optional<Durability> durability)
      implements Call<Purge.Answer> {
    public record Answer(long count) {}
  }

  /** A call that has a queue run empty; see {@link io.millrace.api.JobQueue#drain}. */
  record Drain(QueueName queue, Duration waiting, Optional<Durability> durability)
      implements Call<Drain.Answer> {
    public record Answer(DrainResult result) {}
  }

  /** A call that takes a queue out of draining; see {@link io.millrace.api.JobQueue#endDrain}. */
  record EndDrain(QueueName queue, Optional<Durability> durability)
      implements Call<EndDrain.Answer> {
    public record Answer() {}
  }

  /**
   * A call that deletes a queue with all of its jobs; see {@link io.millrace.api.JobQueue#delete}.
   */
  record DeleteQueue(QueueName queue, Optional<Durability> durability)
      implements Call<DeleteQueue.Answer> {
    public record Answer(boolean found) {}
  }

  /** A call that leases a whole queue; see {@link io.millrace.api.JobQueues#leaseQueue}. */
  record LeaseQueue(QueueName queue, String worker, Duration duration)
      implements Call<LeaseQueue.Answer> {

    /** The one who has the queue. */
    public sealed interface Answer {}

    /** The lease, if the caller has the queue from now on. */
    public record Granted(long token, Duration remaining) implements Answer {}

    /** The lease of somebody else. */
    public record Leased(String worker, Instant until) implements Answer {}
  }

  /**
   * A call that claims jobs of a queue that is leased; see {@link
   * io.millrace.api.QueueLease#claim}.
   */
  record ClaimLeased(QueueName queue, long token, ClaimOptions options)
      implements Call<ClaimLeased.Answer> {

    /**
     * The jobs that were claimed.
     *
     * @param isStale whether the lease on the queue had ended
     */
    public record Answer(List<io.millrace.protocol.Granted> leases, boolean isStale) {}
  }

  /** A call that extends a lease on a queue; see {@link io.millrace.api.QueueLease#extend}. */
  record ExtendQueueLease(QueueName queue, long token, Duration duration)
      implements Call<ExtendQueueLease.Answer> {
    public record Answer(QueueExtendResult result) {}
  }

  /**
   * A call that ends a lease on a queue that the caller holds; see {@link
   * io.millrace.api.QueueLease}.
   */
  record CloseQueueLease(QueueName queue, long token) implements Call<CloseQueueLease.Answer> {
    public record Answer() {}
  }

  /** A call that lists the leases on queues; see {@link io.millrace.api.JobAdmin#queueLeases}. */
  record QueueLeases() implements Call<QueueLeases.Answer> {
    public record Answer(List<LeasedQueue> leases) {}
  }

  /** A call that ends whatever lease there is on a queue; see {@link io.millrace.api.JobAdmin}. */
  record EndQueueLease(QueueName queue) implements Call<EndQueueLease.Answer> {
    public record Answer(boolean found) {}
  }
}

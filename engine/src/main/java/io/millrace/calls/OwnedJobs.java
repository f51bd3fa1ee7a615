package io.millrace.calls;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.util.Optional;

/** Queues that know by its id alone to which of them a job belongs, or belonged. Any thread. */
public interface OwnedJobs {

  /**
   * Returns the queue of the job, also if the job has ended since; empty if no queue of the store
   * had a job of this id, or the queue was deleted.
   */
  Optional<QueueName> queueOf(JobId id);
}

package io.millrace.calls;

import io.millrace.api.Explanation;
import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Queues that know by its id alone to which of them a job belongs, or belonged, and tell of the
 * jobs of some of them alone. Any thread.
 */
public interface OwnedJobs {

  /**
   * Returns the queue of the job, also if the job has ended since; empty if no queue of the store
   * had a job of this id, or the queue was deleted.
   */
  Optional<QueueName> queueOf(JobId id);

  /**
   * Explains why the job is not running, to somebody who may know of some queues alone: jobs of
   * others that hold its concurrency key are counted, and not named.
   *
   * @param isTold tells whether jobs of a queue may be named
   * @return the explanation; empty if the job no longer exists
   */
  Optional<Explanation> explain(JobId id, Predicate<QueueName> isTold);
}

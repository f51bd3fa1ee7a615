package io.millrace.internal.transition.lease;

import io.millrace.api.QueueName;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.state.LeaseEntry;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a claim was given, with the job.
 *
 * @param queue the job's queue
 * @param lease the lease
 * @param job the job's record; a large payload or state is still to be read
 * @param maxAttempts how many starts count until the job is dead
 */
public record Grant(QueueName queue, LeaseEntry lease, JobRecord job, int maxAttempts) {

  /** Returns the grant with a payload and a state that were read. */
  public Grant with(Payload.Inline payload, Payload.@Nullable Inline state) {
    JobRecord read = job.toBuilder().payload(payload).checkpointed(state).build();
    return new Grant(queue, lease, read, maxAttempts);
  }
}

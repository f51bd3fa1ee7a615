package io.millrace.internal.transition.lease;

import io.millrace.api.QueueName;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;

/**
 * A lease that a claim was given, with the job.
 *
 * @param queue the job's queue
 * @param lease the lease
 * @param job the job's record; a large payload is still to be read
 * @param maxAttempts how many starts count until the job is dead
 */
public record Grant(QueueName queue, LeaseEntry lease, JobRecord job, int maxAttempts) {}

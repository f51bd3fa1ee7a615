package io.millrace.internal.state;

import io.millrace.api.Durability;
import io.millrace.internal.format.JobRecord;

/**
 * A job that may be claimed, as a window holds it.
 *
 * @param sequence its ready sequence: its place in the line
 * @param job its record
 * @param readyCommit the commit that made it ready, or a later one that is known to hold it
 * @param level how durable that commit must be before a claim of the job may be answered
 */
public record ReadyJob(long sequence, JobRecord job, long readyCommit, Durability level) {

  int memoryBytes() {
    return job.memoryBytes();
  }
}

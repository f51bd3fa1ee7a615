package io.millrace.protocol;

import io.millrace.api.JobId;
import io.millrace.api.Lease;

/** A lease as its holder names it. */
public record LeaseRef(JobId jobId, long token) {

  public static LeaseRef of(Lease lease) {
    return new LeaseRef(lease.jobId(), lease.token());
  }
}

package io.millrace.internal.state;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event that a worker was granted a lease on a job. */
@Name("io.millrace.JobClaimed")
@Label("Job Claimed")
@Description("A worker was granted a lease on a job")
final class JobClaimedEvent extends RecordedJobEvent {

  @Label("Worker")
  String worker = "";

  @Label("Waited")
  @Description("How long the job had been ready")
  @Timespan(Timespan.MILLISECONDS)
  long waited;

  /** The lease that was granted; no field of the event. */
  transient @Nullable LeaseEntry lease;

  /**
   * Tells whether the lease's holder was told of it, and has it still: the next batch counts the
   * claim.
   */
  @Override
  boolean outlivesBatch() {
    return lease != null && lease.isTold() && !lease.isEnded();
  }
}

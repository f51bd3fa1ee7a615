package io.millrace.internal.state;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A worker was granted a lease on a job. */
@Name("io.millrace.JobClaimed")
@Label("Job Claimed")
@Description("A worker was granted a lease on a job")
final class JobClaimedEvent extends JobEvent {

  @Label("Worker")
  String worker = "";

  @Label("Waited")
  @Description("How long the job had been ready")
  @Timespan(Timespan.MILLISECONDS)
  long waited;

  /** What was granted; no field of the event. */
  transient @Nullable LeaseEntry lease;

  /** A holder who was told has it, and the next batch counts the claim. */
  @Override
  boolean outlivesBatch() {
    return lease != null && lease.isTold() && !lease.isEnded();
  }
}

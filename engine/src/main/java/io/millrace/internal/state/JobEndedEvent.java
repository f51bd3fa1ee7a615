package io.millrace.internal.state;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The event that an attempt at a job ended, or that a job which nobody worked on was removed. */
@Name("io.millrace.JobEnded")
@Label("Job Ended")
@Description("An attempt at a job ended, or a job that nobody worked on was removed")
final class JobEndedEvent extends RecordedJobEvent {

  @Label("Worker")
  @Description("Whose attempt ended; nothing if nobody worked on the job")
  @Nullable String worker;

  @Label("Outcome")
  @Description("What the end is counted as")
  String outcome = "";

  @Label("State")
  @Description("The job's state from then on, or GONE")
  String state = "";

  @Label("Ran")
  @Description("How long the attempt lasted; 0 if nobody worked on the job")
  @Timespan(Timespan.MILLISECONDS)
  long ran;
}

package io.millrace.internal.state;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/**
 * An event in the life of a job, for JFR. There may be very many such events, so that they are
 * written only if a recording asks for them by name.
 */
@Category({"Millrace", "Jobs"})
@Enabled(false)
@StackTrace(false)
abstract class RecordedJobEvent extends Event {

  @Label("Queue")
  String queue = "";

  @Label("Tenant")
  @Description("Empty for the default tenant")
  String tenant = "";

  @Label("Type")
  @Description("What kind of work it is; the queue's name if nothing else was said")
  String type = "";

  @Label("Job")
  @Description("The job's id")
  String job = "";

  @Label("Attempt")
  @Description("How many starts count since the job was enqueued or redriven, a running one too")
  int attempt;

  /** Tells whether the event is true even if the batch in which it was noted never happened. */
  boolean outlivesBatch() {
    return false;
  }
}

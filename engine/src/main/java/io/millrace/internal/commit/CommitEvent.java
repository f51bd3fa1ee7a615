package io.millrace.internal.commit;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The JFR event of one batch that was written to the store. */
@Name("io.millrace.Commit")
@Label("Commit")
@Category("Millrace")
@Description("One batch written to the store")
@StackTrace(false)
final class CommitEvent extends Event {

  @Label("Number")
  long number;

  @Label("Requests")
  @Description("Requests that the batch carries out")
  int requestCount;

  @Label("Operations")
  int operationCount;

  @Label("Bytes")
  @DataAmount
  long bytes;
}

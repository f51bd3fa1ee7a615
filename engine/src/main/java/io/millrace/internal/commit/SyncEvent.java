package io.millrace.internal.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The JFR event of one sync of the store. */
@Name("io.millrace.Sync")
@Label("Sync")
@Category("Millrace")
@Description("One sync of the store")
@StackTrace(false)
final class SyncEvent extends Event {

  @Label("Newest commit")
  long lastCommit;
}

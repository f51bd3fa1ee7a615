package io.millrace.internal.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The JFR event of an engine's taking over a store, from the first read until it takes requests.
 */
@Name("io.millrace.Recovery")
@Label("Recovery")
@Category("Millrace")
@Description("One opening of the store by an engine")
@StackTrace(false)
final class RecoveryEvent extends Event {

  @Label("Epoch")
  long epoch;

  @Label("Last stop")
  String lastStop = "";

  @Label("Leases held")
  @Description("Leases that go on after the opening")
  int leaseCount;
}

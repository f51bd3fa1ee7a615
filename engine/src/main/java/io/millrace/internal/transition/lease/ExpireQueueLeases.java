package io.millrace.internal.transition.lease;

import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import java.util.List;

/** The end of leases on queues whose time has passed. The answer is how many ended. */
public final class ExpireQueueLeases implements Transition<Integer> {

  /** The most leases that one step ends. */
  public static final int STEP = 1_000;

  private final long beforeNs;

  /** Creates a step that ends leases whose end lies before this time of the lease clock. */
  public ExpireQueueLeases(long beforeNs) {
    this.beforeNs = beforeNs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Integer apply(OpenBatch batch) {
    List<QueueLeaseEntry> ended = batch.state().queueLeases().endedBy(beforeNs, STEP);
    ended.forEach(lease -> EndQueueLease.end(batch, lease));
    return ended.size();
  }
}

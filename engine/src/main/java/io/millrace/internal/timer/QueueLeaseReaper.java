package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.lease.ExpireQueueLeases;

/**
 * The reaper of leases on queues whose time has passed, by the same rule as {@link Reaper} has for
 * leases on jobs.
 */
public final class QueueLeaseReaper implements DueWork {

  private final WorkingSet state;

  public QueueLeaseReaper(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    QueueLeaseEntry first = state.queueLeases().first();
    return first == null ? NEVER : Math.max(0, first.deadlineNs() - now.expiryNs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new ExpireQueueLeases(now.expiryNs()));
  }
}

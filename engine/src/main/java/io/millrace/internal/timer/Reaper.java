package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.lease.Expire;

/** The reaper of leases on jobs whose time has passed. */
public final class Reaper implements DueWork {

  private final WorkingSet state;

  public Reaper(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    LeaseEntry first = state.leases().first();
    return first == null ? NEVER : Math.max(0, first.deadlineNs() - now.expiryNs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new Expire(now.expiryNs()));
  }
}

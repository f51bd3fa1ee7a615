package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.TimerHead;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.Sweep;

/**
 * The sweep of timer rows: drops jobs that were not started in time, and removes rows that were
 * kept for long enough.
 */
public final class Sweeper implements DueWork {

  private final DelayClock clock;
  private final TimerHead head;
  private final Sweep.Scope scope;

  /** Creates a sweeper of the rows in the scope that run on the clock. */
  public Sweeper(WorkingSet state, DelayClock clock, Sweep.Scope scope) {
    this.clock = clock;
    this.head = state.timerHeads().newHead(clock);
    this.scope = scope;
  }

  @Override
  public long waitNs(DueTime now) {
    return now.sweepWaitNs(clock, head.timeMs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new Sweep(head, scope, now.sweepMs(clock)));
  }
}

package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.MoveDue;

/** Makes delayed jobs of queues in memory ready when their time comes. */
public final class Mover implements DueWork {

  private final WorkingSet state;

  public Mover(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return Math.min(
        Waits.untilMs(now.nowMs(), state.nextDelayedMs(DelayClock.ENGINE)),
        Waits.untilMs(now.steadyMs(), state.nextDelayedMs(DelayClock.STEADY)));
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new MoveDue());
  }
}

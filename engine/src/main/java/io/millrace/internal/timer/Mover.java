package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.QueueState;
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
    QueueState first = state.firstDelayed();
    return first == null ? NEVER : Waits.untilMs(now, first.nextDelayedAtMs());
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new MoveDue());
  }
}

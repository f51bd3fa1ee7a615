package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.DropLostTimers;

/** The removal of the TIMER rows of jobs that are lost. */
public final class LostTimerRows implements DueWork {

  private final WorkingSet state;

  public LostTimerRows(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return state.lostTimers().isEmpty() ? NEVER : 0;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new DropLostTimers());
  }
}

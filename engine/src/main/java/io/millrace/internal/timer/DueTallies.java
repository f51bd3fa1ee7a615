package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.tally.LookAtDue;

/**
 * The work that removes tallies which have been kept for long enough, and lets jobs go on that wait
 * for a tally and for which a batch had no room.
 */
public final class DueTallies implements DueWork {

  private final WorkingSet state;

  public DueTallies(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    long dueMs = state.tallies().dueMs();
    return dueMs == QueueState.NEVER ? NEVER : now.steadyWaitNs(dueMs);
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new LookAtDue());
  }
}

package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.tally.LookAtDue;
import io.millrace.internal.transition.tally.TallyRecount;

/**
 * The work that removes tallies which have been kept for long enough, lets jobs go on that wait for
 * a tally and for which a batch had no room, and counts tallies anew.
 */
public final class DueTallies implements DueWork {

  private final WorkingSet state;

  public DueTallies(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return Math.min(waitNs(now, state.tallies().dueMs()), waitNs(now, state.tallies().recountMs()));
  }

  private static long waitNs(DueTime now, long dueMs) {
    return dueMs == QueueState.NEVER ? NEVER : now.steadyWaitNs(dueMs);
  }

  @Override
  public void step(DueTime now, Steps steps) {
    if (waitNs(now, state.tallies().recountMs()) <= 0) {
      steps.apply(new TallyRecount());
    }
    if (waitNs(now, state.tallies().dueMs()) <= 0) {
      steps.apply(new LookAtDue());
    }
  }
}

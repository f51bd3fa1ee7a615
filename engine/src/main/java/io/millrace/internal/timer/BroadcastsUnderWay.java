package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.GoOnBroadcast;

/**
 * The work that lets broadcasts reach all jobs that waited for them, one broadcast after the other.
 */
public final class BroadcastsUnderWay implements DueWork {

  private final WorkingSet state;

  public BroadcastsUnderWay(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return state.broadcasts().isEmpty() ? NEVER : 0;
  }

  /** Tells that a step adds to the store: each job that it wakes is given the signal's payload. */
  @Override
  public Transition.Growth growth() {
    return Transition.Growth.GROWS;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    long first = state.broadcasts().first();
    if (first != 0) {
      steps.apply(new GoOnBroadcast(first));
    }
  }
}

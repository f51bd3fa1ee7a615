package io.millrace.internal.timer;

import io.millrace.api.QueueName;
import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.queue.WalkBlocked;

/**
 * The work that lets blocked jobs go on when a queue's setting allows more of a concurrency key
 * than before, one queue after the other.
 */
public final class RaisedQueues implements DueWork {

  private final WorkingSet state;

  public RaisedQueues(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return state.slots().firstRaised() == null ? NEVER : 0;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    QueueName queue = state.slots().firstRaised();
    if (queue != null) {
      steps.apply(new WalkBlocked(queue));
    }
  }
}

package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.queue.EmptyDropped;
import org.jspecify.annotations.Nullable;

/** The removal of the rows of deleted queues, one queue after the other. */
public final class DroppedQueues implements DueWork {

  private final WorkingSet state;
  private int queue = WorkingSet.NO_QUEUE;
  private byte @Nullable [] from;

  public DroppedQueues(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    return state.anyDropped() == WorkingSet.NO_QUEUE ? NEVER : 0;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    if (!state.isDropped(queue)) {
      queue = state.anyDropped();
      from = null;
    }
    from = steps.apply(new EmptyDropped(queue, from)).orElse(null);
  }

  @Override
  public void restart() {
    queue = WorkingSet.NO_QUEUE;
  }
}

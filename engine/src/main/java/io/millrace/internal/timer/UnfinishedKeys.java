package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.SlotTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.queue.GoOnUnfinished;

/**
 * The work that lets blocked jobs of concurrency keys of the engine go on for which the batch that
 * freed their slots had no room.
 */
public final class UnfinishedKeys implements DueWork {

  private final WorkingSet state;

  public UnfinishedKeys(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    SlotTable slots = state.slots();
    boolean isDue = slots.unfinishedFrom() != null || slots.firstUnfinished() != null;
    return isDue ? 0 : NEVER;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new GoOnUnfinished());
  }
}

package io.millrace.internal.transition;

import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;

/** Delayed jobs of loaded queues that are due become ready. Answers how many queues had some. */
public final class MoveDue implements Transition<Integer> {

  /** Queues that one step looks at. */
  private static final int QUEUE_COUNT_MAX = 4;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return DueJobs.STEP_OPERATIONS * QUEUE_COUNT_MAX;
  }

  @Override
  public Integer apply(Change change) {
    WorkingSet state = change.state();
    int count = 0;
    for (QueueState queue : state.delayedBefore(change.sources().nowMs(), QUEUE_COUNT_MAX)) {
      DueJobs.move(change, queue);
      count++;
    }
    return count;
  }
}

package io.millrace.internal.transition;

import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;

/** Delayed jobs of loaded queues that are due become ready. Answers how often a queue had some. */
public final class MoveDue implements Transition<Integer> {

  /** Walks over queues that one step makes. */
  private static final int QUEUE_COUNT_MAX = 1_000;

  /** A step ends when the batch has grown to this. */
  private static final int OPERATION_COUNT_MAX = 8_192;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return OPERATION_COUNT_MAX + DueJobs.STEP_OPERATIONS;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Integer apply(Change change) {
    WorkingSet state = change.state();
    int count = 0;
    while (count < QUEUE_COUNT_MAX && change.batch().size() < OPERATION_COUNT_MAX) {
      QueueState queue = state.firstDue(DelayClock.STEADY, change.sources().steadyMs());
      if (queue == null) {
        queue = state.firstDue(DelayClock.ENGINE, change.sources().nowMs());
      }
      if (queue == null) {
        break;
      }
      DueJobs.move(change, queue, DueJobs.STEP);
      count++;
    }
    return count;
  }
}

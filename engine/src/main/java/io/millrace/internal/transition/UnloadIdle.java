package io.millrace.internal.transition;

import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;

/**
 * Queues that nothing has used for a while leave memory. Answers how many did or will with the next
 * step.
 */
public final class UnloadIdle implements Transition<Integer> {

  private static final int STEP = 100;

  private final long sinceNs;
  private final long emptyQueueKeptMs;

  /** Unloads queues unused since this time of the monotonic clock. */
  public UnloadIdle(long sinceNs, long emptyQueueKeptMs) {
    this.sinceNs = sinceNs;
    this.emptyQueueKeptMs = emptyQueueKeptMs;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return 4 * STEP;
  }

  @Override
  public Integer apply(Change change) {
    WorkingSet state = change.state();
    int count = 0;
    for (QueueState queue : state.idleSince(sinceNs, STEP)) {
      if (queue.exists()) {
        QueueCare.settle(change, queue, emptyQueueKeptMs);
      }
      // What changed just now is stored with this batch and leaves memory with the next step.
      if (!queue.isChanged()) {
        state.unload(queue);
      }
      count++;
    }
    return count;
  }
}

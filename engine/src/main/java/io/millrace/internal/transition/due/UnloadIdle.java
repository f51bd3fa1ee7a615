package io.millrace.internal.transition.due;

import io.millrace.api.JobState;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.queue.Agenda;
import java.util.List;

/**
 * The unloading of queues that nothing has used for a while, or, where there are too many, of those
 * that were used longest ago. The answer is the engine time at which the first delayed job is due
 * of unloaded queues that have ready jobs, too; {@link QueueState#NEVER} if there is none.
 */
public final class UnloadIdle implements Transition<Long> {

  private static final int STEP = 100;

  private final long sinceNs;
  private final long emptyQueueKeptMs;
  private final int crowd;

  /**
   * Creates a step.
   *
   * @param sinceNs queues leave that are unused since this time of the monotonic clock
   * @param crowd how many queues there are too many: so many leave, whenever they were used
   */
  public UnloadIdle(long sinceNs, long emptyQueueKeptMs, int crowd) {
    this.sinceNs = sinceNs;
    this.emptyQueueKeptMs = emptyQueueKeptMs;
    this.crowd = crowd;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS.times(Math.max(STEP, crowd));
  }

  @Override
  public Long apply(OpenBatch batch) {
    WorkingSet state = batch.state();
    state.tenants().dropUnused(sinceNs);
    long dueMs = QueueState.NEVER;
    List<QueueState> idle =
        crowd > 0
            ? state.idle().any(batch.context().nowNs(), crowd)
            : state.idle().since(sinceNs, STEP);
    for (QueueState queue : idle) {
      if (!batch.hasRoomToSpare(Cost.QUEUE_ROWS)) {
        break;
      }
      if (queue.exists()) {
        Agenda.setExact(batch, queue, emptyQueueKeptMs);
      }
      // What changed just now is stored with this batch and leaves memory with the next step.
      if (!queue.isChanged()) {
        if (queue.count(JobState.READY) > 0) {
          dueMs = Math.min(dueMs, queue.nextDelayed().dueMs(batch.context().steadyLeadMs()));
        }
        state.unload(queue);
      }
    }
    return dueMs;
  }
}

package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.QueueState;
import java.util.List;

/** Dead jobs are removed for good. Answers for each whether it was there. */
public final class DeleteDead extends DeadTransition<Boolean> {

  public DeleteDead(List<JobId> ids) {
    super(ids);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  Boolean notDead() {
    return false;
  }

  @Override
  Boolean gone() {
    return false;
  }

  @Override
  Boolean dead(Change change, QueueState queue, byte[] key, JobRecord job) {
    Moves.end(change, queue, key, job);
    queue.countTotal(Total.DELETED);
    return true;
  }
}

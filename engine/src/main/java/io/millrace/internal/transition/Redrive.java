package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.QueueState;
import java.util.List;

/** Dead jobs are ready again, at the back of their lines, with their attempts starting afresh. */
public final class Redrive extends DeadTransition<RedriveResult> {

  public Redrive(List<JobId> ids) {
    super(ids);
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  RedriveResult notDead() {
    return RedriveResult.NOT_DEAD;
  }

  @Override
  RedriveResult gone() {
    return RedriveResult.GONE;
  }

  @Override
  RedriveResult dead(Change change, QueueState queue, byte[] key, JobRecord job) {
    Holdings.of(queue.number(), key, job).endTimer(change.batch());
    int earlier = job.earlierAttempts() + job.attempts();
    JobRecord afresh = job.toBuilder().attempts(0).earlierAttempts(earlier).expireAtMs(0).build();
    Moves.move(change, queue, key, afresh, To.READY);
    queue.countTotal(Total.REDRIVEN);
    return RedriveResult.REDRIVEN;
  }
}

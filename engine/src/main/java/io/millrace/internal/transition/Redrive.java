package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.internal.format.JobRecord;
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
    change.delete(key);
    JobTimers.delete(change, queue.number(), key, job);
    queue.add(JobState.DEAD, -1);
    int earlier = job.earlierAttempts() + job.attempts();
    Moves.enterReady(
        change, queue, job.toBuilder().attempts(0).earlierAttempts(earlier).expireAtMs(0).build());
    queue.countTotal(Total.REDRIVEN);
    return RedriveResult.REDRIVEN;
  }
}

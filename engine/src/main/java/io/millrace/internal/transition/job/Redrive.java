package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RedriveResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.To;
import java.util.List;

/** Dead jobs are ready again, at the back of their lines, with their attempts starting afresh. */
public final class Redrive extends DeadOperation<RedriveResult> {

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
  Plan<RedriveResult> dead(FoundJob found, JobRecord job) {
    int earlier = job.earlierAttempts() + job.attempts();
    JobRecord afresh = job.toBuilder().attempts(0).earlierAttempts(earlier).build();
    return new JobMove<>(found, afresh, To.READY, Total.REDRIVEN, RedriveResult.REDRIVEN);
  }
}

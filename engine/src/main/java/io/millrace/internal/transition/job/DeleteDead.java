package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import java.util.List;

/** The removal of dead jobs for good. The answer tells for each whether it was there, and dead. */
public final class DeleteDead extends DeadOperation<Boolean> {

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
  Plan<Boolean> dead(OpenBatch batch, FoundJob found, JobRecord job) {
    return new JobMove<>(found, job, null, Total.DELETED, true);
  }
}

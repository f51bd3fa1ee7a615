package io.millrace.internal.transition.job;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;

/** A job that nobody works on is removed. */
public final class Cancel extends JobOperation<CancelResult> {

  public Cancel(JobId id) {
    super(id);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  CancelResult gone() {
    return CancelResult.GONE;
  }

  @Override
  Plan<CancelResult> leased(OpenBatch batch, LeaseEntry lease) {
    return Plan.answer(CancelResult.RUNNING);
  }

  @Override
  Plan<CancelResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    return found.state() == JobState.DONE
        ? Plan.answer(CancelResult.GONE)
        : new JobMove<>(found, job, null, Total.CANCELLED, CancelResult.OK);
  }
}

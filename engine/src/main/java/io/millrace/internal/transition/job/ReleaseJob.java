package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.JobReleaseResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.lease.HandBack;
import io.millrace.internal.transition.lease.Release;

/**
 * The end of a job's lease by somebody else than its holder, as if the holder had released it. A
 * lease whose time has passed is there until it is found to have run out, and is taken like others.
 */
public final class ReleaseJob extends JobOperation<JobReleaseResult> {

  public ReleaseJob(JobId id) {
    super(id);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return super.cost().plus(HandBack.EACH);
  }

  @Override
  void declareLeased(WorkingSet state, RowReads reads, LeaseEntry lease) {
    Release.declare(state, reads, lease);
  }

  @Override
  JobReleaseResult gone() {
    return JobReleaseResult.GONE;
  }

  @Override
  Plan<JobReleaseResult> leased(OpenBatch batch, LeaseEntry lease) {
    return Release.taken(batch, lease, JobReleaseResult.RELEASED, JobReleaseResult.CANCELLED);
  }

  @Override
  Plan<JobReleaseResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    return Plan.answer(found.isGone() ? JobReleaseResult.GONE : JobReleaseResult.NOT_RUNNING);
  }
}

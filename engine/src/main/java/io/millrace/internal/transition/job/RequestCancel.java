package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RequestCancelResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.queue.Queues;

/**
 * A job is to be cancelled: at once if nobody works on it; else its lease is marked, its holder
 * learns of it, and the job goes when the lease ends, however that comes about.
 *
 * <p>The mark is in the LEASE row, so it holds over a restart, and it ends with the lease, so no
 * later state of the job knows it.
 */
public final class RequestCancel extends JobOperation<RequestCancelResult> {

  public RequestCancel(JobId id) {
    super(id);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  RequestCancelResult gone() {
    return RequestCancelResult.GONE;
  }

  @Override
  Plan<RequestCancelResult> leased(OpenBatch batch, LeaseEntry lease) {
    return new Mark(Queues.of(batch, lease), lease);
  }

  /** The plan that a lease is marked. */
  private record Mark(QueueState queue, LeaseEntry lease) implements Plan<RequestCancelResult> {

    @Override
    public RequestCancelResult carryOut(OpenBatch batch) {
      if (!lease.isCancelRequested()) {
        batch.state().leases().markCancelRequested(lease);
        LeaseRows.put(batch, lease);
      }
      return RequestCancelResult.REQUESTED;
    }

    @Override
    public void foretell(OpenBatch batch) {
      batch.planned().put(queue, lease.birth(), JobState.LEASED, Planned.After.MARKED);
    }
  }

  @Override
  Plan<RequestCancelResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    return found.state() == JobState.DONE
        ? Plan.answer(RequestCancelResult.GONE)
        : new JobMove<>(found, job, null, Total.CANCELLED, RequestCancelResult.CANCELLED);
  }
}

package io.millrace.internal.transition.job;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.queue.Queues;

/**
 * The cancellation of a job, which is removed at once if it is not leased. Else, if that is asked
 * for, its lease is marked: its holder learns of it, and the job goes when the lease ends, however
 * that comes about.
 *
 * <p>The mark is in the LEASE row, so it holds over a restart, and it ends with the lease, so no
 * later state of the job knows it.
 */
public final class Cancel extends JobOperation<CancelResult> {

  private final OfLeased ofLeased;

  private enum OfLeased {
    MARK,
    LEAVE_ALONE
  }

  private Cancel(JobId id, OfLeased ofLeased) {
    super(id);
    this.ofLeased = ofLeased;
  }

  /** Creates a cancellation that marks the lease of a leased job. */
  public static Cancel orMark(JobId id) {
    return new Cancel(id, OfLeased.MARK);
  }

  /** Creates a cancellation that leaves a leased job alone. */
  public static Cancel ifWaiting(JobId id) {
    return new Cancel(id, OfLeased.LEAVE_ALONE);
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
    return ofLeased == OfLeased.MARK
        ? new Mark(Queues.of(batch, lease), lease)
        : Plan.answer(CancelResult.RUNNING);
  }

  /** The plan that a lease is marked. */
  private record Mark(QueueState queue, LeaseEntry lease) implements Plan<CancelResult> {

    @Override
    public CancelResult carryOut(OpenBatch batch) {
      if (!lease.isCancelRequested()) {
        batch.state().leases().markCancelRequested(lease);
        LeaseRows.put(batch, lease);
      }
      return CancelResult.REQUESTED;
    }

    @Override
    public void foretell(OpenBatch batch) {
      batch.planned().put(queue, lease.birth(), JobState.LEASED, Planned.After.MARKED);
    }
  }

  @Override
  Plan<CancelResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    return found.isGone()
        ? Plan.answer(CancelResult.GONE)
        : new JobMove<>(found, job, null, Total.CANCELLED, CancelResult.CANCELLED);
  }
}

package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RequestCancelResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;

/**
 * A job is to be cancelled: at once if nobody works on it; else its lease is marked, its holder
 * learns of it, and the job goes when the lease ends, however that comes about.
 *
 * <p>The mark is in the LEASE row, so it holds over a restart, and it ends with the lease, so no
 * later state of the job knows it.
 */
public final class RequestCancel extends JobTransition<RequestCancelResult> {

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
  RequestCancelResult leased(Change change, LeaseEntry lease) {
    if (!lease.isCancelRequested()) {
      change.state().leases().markCancelRequested(lease);
      LeaseRows.put(change, lease);
    }
    return RequestCancelResult.REQUESTED;
  }

  @Override
  RequestCancelResult unleased(Change change, QueueState queue, byte[] key, JobRecord job) {
    if (Keyspace.ofKey(key) == Keyspace.DONE) {
      return RequestCancelResult.GONE;
    }
    Removal.remove(change, queue, key, job);
    queue.countTotal(Total.CANCELLED);
    return RequestCancelResult.CANCELLED;
  }

  /** A lease ends without the job being done, and its mark takes the job along. */
  static void end(Change change, QueueState queue, LeaseEntry lease) {
    Moves.leaveLeased(change, queue, lease);
    Moves.forget(change, lease);
    queue.countTotal(Total.CANCELLED);
  }
}

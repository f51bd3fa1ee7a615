package io.millrace.internal.transition;

import io.millrace.api.CompleteResult;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.List;

/** Leased jobs are finished: every row of theirs goes. */
public final class Complete extends LeaseTransition<CompleteResult> {

  public Complete(List<LeaseRef> leases) {
    super(leases);
  }

  @Override
  boolean needsRecord() {
    return false;
  }

  @Override
  CompleteResult lost(LeaseRef.Lost why) {
    return why == LeaseRef.Lost.GONE ? CompleteResult.GONE : CompleteResult.STALE_LEASE;
  }

  @Override
  CompleteResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    Moves.leaveLeased(change, queue, lease);
    Moves.forget(change, lease.queue(), lease.birth(), lease.hasMoved(), lease.blobVersion());
    queue.countTotal(Total.COMPLETED);
    return CompleteResult.COMPLETED;
  }
}

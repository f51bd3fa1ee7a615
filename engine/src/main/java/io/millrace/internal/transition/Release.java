package io.millrace.internal.transition;

import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.List;

/** Leased jobs are handed back to their old places; the attempts do not count. */
public final class Release extends LeaseTransition<ReleaseResult> {

  public Release(List<LeaseRef> leases) {
    super(leases);
  }

  @Override
  boolean needsRecord() {
    return true;
  }

  @Override
  ReleaseResult lost(LeaseRef.Lost why) {
    return lostResult(why);
  }

  @Override
  ReleaseResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    if (lease.isCancelRequested()) {
      RequestCancel.end(change, queue, lease);
      return ReleaseResult.CANCELLED;
    }
    handBack(change, queue, lease, ref.record(change, lease));
    return ReleaseResult.RELEASED;
  }

  /**
   * Hands a job back that its holder did not finish, or was never told of. A corrupt one is
   * reported and set aside.
   */
  static void handBack(Change change, LeaseEntry lease) {
    QueueState queue = change.queueOf(lease);
    if (lease.isCancelRequested()) {
      RequestCancel.end(change, queue, lease);
      return;
    }
    byte[] value = change.get(lease.readyKey());
    JobRecord job = Records.decodeOrReport(change, lease.readyKey(), value);
    if (job != null) {
      handBack(change, queue, lease, job);
    }
  }

  private static void handBack(Change change, QueueState queue, LeaseEntry lease, JobRecord job) {
    Moves.endLease(change, queue, lease);
    Moves.rejoinLine(change, queue, lease.readySequence(), job);
    queue.countTotal(Total.RELEASED);
  }

  static ReleaseResult lostResult(LeaseRef.Lost why) {
    return why == LeaseRef.Lost.GONE ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
  }
}

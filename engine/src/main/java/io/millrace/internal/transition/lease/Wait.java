package io.millrace.internal.transition.lease;

import io.millrace.api.QueueStats.Total;
import io.millrace.api.WaitResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.move.Destination;
import java.util.List;

/** A wait of a leased job, for whatever; the attempt does not count. */
abstract class Wait extends LeaseOperation<WaitResult> {

  /** Creates a wait that adds so many bytes to the job's rows. */
  Wait(NamedLease lease, long moreBytes) {
    super(List.of(lease), moreBytes);
  }

  @Override
  final boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  final WaitResult lost(NamedLease.Lost why) {
    return why == NamedLease.Lost.GONE ? WaitResult.GONE : WaitResult.STALE_LEASE;
  }

  @Override
  final WaitResult cancelled() {
    return WaitResult.CANCELLED;
  }

  /** Returns the end of a lease whose job goes there. */
  static LeaseEnd<WaitResult> end(
      QueueState queue, LeaseEntry lease, JobRecord job, Destination to, WaitResult result) {
    return new LeaseEnd<>(queue, lease, new LeaseEnd.Next(job, to), Total.WAITED, result);
  }
}

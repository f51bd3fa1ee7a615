package io.millrace.internal.transition.lease;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import java.util.List;
import java.util.Optional;

/**
 * The look-up of a lease with its job, as it would be granted now. The answer is empty if the lease
 * is not current.
 */
public final class FindLease extends LeaseOperation<Optional<Grant>> {

  public FindLease(NamedLease lease) {
    super(List.of(lease), 0);
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  Optional<Grant> lost(NamedLease.Lost why) {
    return Optional.empty();
  }

  @Override
  Plan<Optional<Grant>> held(
      OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecord job = named.record(batch, lease);
    int maxAttempts = job.maxAttempts(queue.settings());
    return Plan.answer(Optional.of(new Grant(queue.name(), lease, job, maxAttempts)));
  }
}

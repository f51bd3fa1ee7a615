package io.millrace.internal.transition.lease;

import io.millrace.api.QueueName;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;

/** The end of the lease on a queue before its time. The answer tells whether there was one. */
public final class EndQueueLease extends QueueLeaseOperation<Boolean> {

  /** The token that stands for that of any lease. */
  private static final long ANY = 0;

  private final QueueName queue;
  private final long token;

  private EndQueueLease(QueueName queue, long token) {
    this.queue = queue;
    this.token = token;
  }

  /** Creates the end that the lease's holder asks for, also if its time is over by now. */
  public static EndQueueLease byHolder(QueueName queue, long token) {
    return new EndQueueLease(queue, token);
  }

  /** Creates the end that an operator asks for. */
  public static EndQueueLease ofAnyone(QueueName queue) {
    return new EndQueueLease(queue, ANY);
  }

  @Override
  Boolean apply(OpenBatch batch, QueueLeaseTable leases) {
    QueueLeaseEntry lease = token == ANY ? leases.find(queue) : leases.find(queue, token);
    if (lease == null) {
      return false;
    }
    end(batch, lease);
    return true;
  }

  /**
   * Ends the lease: claims that wait through it are told so with this batch, and those of others
   * are served. The queue's jobs need not be known: a claim that is woken reads them.
   */
  static void end(OpenBatch batch, QueueLeaseEntry lease) {
    WorkingSet state = batch.state();
    state.queueLeases().end(lease);
    TenantRing tenants = state.tenants().find(lease.queue().name());
    if (tenants != null) {
      tenants.enter(lease.queue());
    } else if (state.known(lease.queue()) == null) {
      return;
    }
    QueueState queue = state.queue(lease.queue(), batch.context().nowNs());
    for (ParkedClaim claim : queue.parkedClaims()) {
      if (claim.spec().queueLease() == lease.token()) {
        state.parked().markUnfinished(claim);
      }
    }
    batch.wake(queue);
  }
}

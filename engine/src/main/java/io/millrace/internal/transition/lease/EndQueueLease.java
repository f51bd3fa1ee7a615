package io.millrace.internal.transition.lease;

import io.millrace.api.QueueName;
import io.millrace.internal.state.ParkedClaim;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;

/** The lease on a queue ends before its time. Answers whether there was one. */
public final class EndQueueLease extends QueueLeaseOperation<Boolean> {

  /** Whatever token the lease has. */
  private static final long ANY = 0;

  private final QueueName queue;
  private final long token;

  private EndQueueLease(QueueName queue, long token) {
    this.queue = queue;
    this.token = token;
  }

  /** By its holder, also if its time is over by now. */
  public static EndQueueLease byHolder(QueueName queue, long token) {
    return new EndQueueLease(queue, token);
  }

  /** By an operator. */
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
   * The lease is no more: claims that wait through it are told so with this batch, and those of
   * others are served. It need not be known what is in the queue: a claim that is woken reads that.
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

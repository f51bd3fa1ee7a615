package io.millrace.internal.transition.lease;

import io.millrace.api.QueueExtendResult;
import io.millrace.api.QueueName;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.transition.OpenBatch;
import java.time.Duration;

/** The lengthening of the lease on a queue, if it is current. */
public final class ExtendQueueLease extends QueueLeaseOperation<QueueExtendResult> {

  private final QueueName queue;
  private final long token;
  private final long durationMs;

  public ExtendQueueLease(QueueName queue, long token, long durationMs) {
    this.queue = queue;
    this.token = token;
    this.durationMs = durationMs;
  }

  @Override
  QueueExtendResult apply(OpenBatch batch, QueueLeaseTable leases) {
    QueueLeaseEntry lease = leases.find(queue, token);
    if (lease == null || lease.isOver(batch.leaseNs())) {
      return new QueueExtendResult.StaleLease();
    }
    long endNs = batch.leaseNs() + Nanos.ofMs(durationMs);
    if (endNs - lease.deadlineNs() > 0) {
      leases.extend(lease, endNs, durationMs);
    }
    return new QueueExtendResult.Extended(Duration.ofNanos(lease.deadlineNs() - batch.leaseNs()));
  }
}

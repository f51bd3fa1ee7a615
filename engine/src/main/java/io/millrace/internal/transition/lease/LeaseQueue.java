package io.millrace.internal.transition.lease;

import io.millrace.api.EngineOverloadedException;
import io.millrace.api.Limits;
import io.millrace.api.QueueName;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.transition.OpenBatch;

/** The lease of a queue as a whole, unless it is leased already. Nothing is stored. */
public final class LeaseQueue extends QueueLeaseOperation<LeaseQueue.Answer> {

  private final QueueName queue;
  private final String worker;
  private final long durationMs;

  public LeaseQueue(QueueName queue, String worker, long durationMs) {
    this.queue = queue;
    this.worker = worker;
    this.durationMs = durationMs;
  }

  /**
   * The lease that there is on the queue.
   *
   * @param isGranted whether the caller got it, by this request
   */
  public record Answer(QueueLeaseEntry lease, boolean isGranted) {}

  @Override
  public void nameGranted(Answer answer, Granted granted) {
    if (answer.isGranted()) {
      granted.queue(answer.lease());
    }
  }

  @Override
  Answer apply(OpenBatch batch, QueueLeaseTable leases) {
    QueueLeaseEntry held = leases.find(queue);
    if (held != null) {
      return new Answer(held, false);
    }
    if (leases.size() >= Limits.QUEUE_LEASE_COUNT_MAX) {
      throw new EngineOverloadedException(
          "too many queues are leased as a whole: most="
              + Limits.QUEUE_LEASE_COUNT_MAX
              + ", queue="
              + queue
              + "; nothing happened; close leases that nobody needs, or let them end");
    }
    QueueLeaseEntry lease =
        new QueueLeaseEntry(queue, batch.state().takeSequence(), worker, batch.nowMs(), durationMs);
    leases.grant(lease);
    return new Answer(lease, true);
  }
}

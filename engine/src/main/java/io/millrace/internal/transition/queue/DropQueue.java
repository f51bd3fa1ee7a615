package io.millrace.internal.transition.queue;

import io.millrace.api.QueueName;
import io.millrace.internal.format.AgendaKeys;
import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.format.QueueKeys;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.JobLives;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * The deletion of a queue: in this one batch its name becomes free and nothing reaches its jobs any
 * more. {@link EmptyDropped} removes its stored rows, step by step; the AGENDA row of time 0 says
 * so to the next opening. The answer tells whether the queue was there.
 */
public final class DropQueue implements Transition<Boolean> {

  private static final byte[] NOTHING = {};

  private final QueueName queueName;

  public DropQueue(QueueName queueName) {
    this.queueName = queueName;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.QUEUE_ROWS.plusBytes(4 * RowBytes.KEY);
  }

  @Override
  public Boolean apply(OpenBatch batch) {
    QueueState queue = Queues.named(batch, queueName);
    if (!queue.exists()) {
      return false;
    }
    int number = queue.number();
    Agenda.set(batch, queue, QueueState.NEVER);
    batch.put(AgendaKeys.key(AgendaKeys.DROPPED_MS, number), NOTHING);
    batch.delete(QueueKeys.key(queueName));
    batch.delete(CounterKeys.key(number));
    byte[] nameKey = QueueNameKeys.key(number);
    batch.put(
        nameKey, new QueueNameRecord(queueName, QueueNameRecord.State.DROPPED).encode(nameKey));
    endLeases(batch, queue);
    batch.state().removed(queue);
    batch.state().markDropped(number);
    batch.onUndo(() -> batch.state().unmarkDropped(number));
    return true;
  }

  /**
   * Ends the queue's leases: to their holders the jobs are gone from here on. The LEASE rows go
   * with the queue's other rows.
   */
  private static void endLeases(OpenBatch batch, QueueState queue) {
    JobLives lives = batch.state().totals().lives();
    lives.queueDropped(queue.number());
    LeaseTable leases = batch.state().leases();
    for (LeaseEntry lease : List.copyOf(leases.all())) {
      if (lease.queue() == queue.number()) {
        leases.end(lease);
        lives.endedWithQueue(queue.name(), lease, batch.nowMs());
        batch.onUndo(() -> lives.notEndedWithQueue(lease));
      }
    }
  }
}

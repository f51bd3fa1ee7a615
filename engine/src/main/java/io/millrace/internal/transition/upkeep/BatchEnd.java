package io.millrace.internal.transition.upkeep;

import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.SlotRows;
import io.millrace.internal.transition.queue.Agenda;

/**
 * The rows that follow from all changes of a group: those of earlier leases, one counters row for
 * each queue touched, and its agenda, and the counts of concurrency keys.
 */
public final class BatchEnd {

  private BatchEnd() {}

  /** Adds these rows to the batch. */
  public static void add(OpenBatch batch) {
    WorkingSet state = batch.state();
    LeaseTable leases = state.leases();
    boolean isDue = leases.rowless().dueInNs(batch.context().nowNs()) <= 0;
    if (isDue || !batch.writes().isEmpty() || state.changedCount() > 0) {
      LeaseRows.putEarlier(batch);
    }
    // Before counters are looked at: they tell whether their queue has a log.
    SlotRows.put(batch);
    for (LeaseEntry lease : leases.rowless().all()) {
      QueueState queue = state.queue(lease.queue());
      if (queue != null && queue.isChanged()) {
        queue.addRowless(lease);
      }
    }
    for (QueueState queue : state.takeChanged()) {
      if (queue.exists()) {
        assert !queue.isMissedByTenants()
                || state.queueLeases().isKeptFrom(queue.name(), 0)
                || state.rates().willWake(queue.name())
            : queue.name() + " has ready jobs and no turn among its tenants";
        state.unserved().noteChange(queue);
        queue.noteEmptySince(batch.context().nowMs());
        Agenda.putEarlier(batch, queue);
        byte[] key = CounterKeys.key(queue.number());
        batch.put(key, queue.counters().encode(key));
        queue.clearRowless();
      }
    }
    if (!batch.writes().isEmpty()) {
      state.unserved().noteBatch();
    }
  }
}

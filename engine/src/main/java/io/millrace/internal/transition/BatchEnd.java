package io.millrace.internal.transition;

import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;

/**
 * What follows from all changes of a group: the rows of earlier leases, one counters row for each
 * queue touched, and its agenda.
 */
public final class BatchEnd {

  private BatchEnd() {}

  /** Adds it to the batch. */
  public static void add(Change change) {
    WorkingSet state = change.state();
    LeaseTable leases = state.leases();
    boolean isDue = leases.rowless().dueInNs(change.sources().nowNs()) <= 0;
    if (isDue || !change.batch().isEmpty() || state.changedCount() > 0) {
      LeaseRows.putEarlier(change);
    }
    for (LeaseEntry lease : leases.rowless().all()) {
      QueueState queue = state.queue(lease.queue());
      if (queue != null && queue.isChanged()) {
        queue.addRowless(lease);
      }
    }
    for (QueueState queue : state.takeChanged()) {
      if (queue.exists()) {
        queue.noteEmptySince(change.sources().nowMs());
        Agenda.putEarlier(change, queue);
        byte[] key = CounterKeys.key(queue.number());
        change.put(key, queue.counters().encode(key));
        queue.clearRowless();
      }
    }
  }
}

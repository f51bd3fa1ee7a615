package io.millrace.internal.transition.upkeep;

import io.millrace.internal.format.CounterKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.HandOn;
import io.millrace.internal.transition.move.SlotRows;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.queue.Agenda;
import io.millrace.internal.transition.queue.EngineHandOn;
import io.millrace.internal.transition.tally.TallyEnds;

/** The steps that every batch takes around its transitions, whatever these are. */
public final class BatchSteps {

  private BatchSteps() {}

  /** Begins a batch, which may be made in place of one that never happened. */
  public static void begin(OpenBatch batch) {
    LeaseRows.recount(batch);
  }

  /** Puts the rows of all leases if the transition, which is applied next, needs them. */
  public static void before(OpenBatch batch, Transition<?> transition) {
    if (transition.needsLeaseRows()) {
      LeaseRows.putAll(batch);
    }
  }

  /**
   * Sees to the tallies that the transition, which was applied last, has ended, and hands on the
   * slots that it has freed.
   */
  public static void after(OpenBatch batch, SubmitTime now) {
    TallyEnds.all(batch, now);
    HandOn.all(batch, now);
    EngineHandOn.all(batch, now);
  }

  /**
   * Adds the rows that follow from all changes of a group: those of earlier leases, one counters
   * row for each queue touched, and its agenda, and the counts of concurrency keys and tallies.
   */
  public static void end(OpenBatch batch) {
    WorkingSet state = batch.state();
    LeaseTable leases = state.leases();
    boolean isDue = leases.rowless().dueInNs(batch.context().nowNs()) <= 0;
    if (isDue || !batch.writes().isEmpty() || state.changedCount() > 0) {
      LeaseRows.putEarlier(batch);
    }
    SlotRows.put(batch);
    Tallies.put(batch);
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

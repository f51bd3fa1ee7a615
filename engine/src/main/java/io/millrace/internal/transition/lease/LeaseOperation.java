package io.millrace.internal.transition.lease;

import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.queue.Queues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation that holders of leases ask for on their jobs, one or many in a call.
 *
 * @param <R> the type of the answer for each job
 */
abstract class LeaseOperation<R> implements Operation<List<R>> {

  /**
   * The cost of one job: READY, LEASE, MOVED, the place that the job moves to, TIMER, and HISTORY
   * twice.
   */
  private static final Cost EACH = new Cost(7, RowBytes.MOVE);

  /** The cost of the job's slot, which goes to the next job. */
  private static final Cost SLOT = Cost.SLOT.plus(Cost.HAND_ON);

  /**
   * The cost of a slot of a key of the engine, which goes to a job of whatever queue; or of the
   * turn for which the job itself waits again.
   */
  private static final Cost ENGINE_SLOT = Cost.ENGINE_HAND_ON.plus(Cost.TURN);

  private static final int ROW_BYTES = 400;

  private final List<NamedLease> leases;
  private final Cost cost;
  private final long moreBytes;

  /**
   * Creates an operation on leases.
   *
   * @param moreBytes what all of them add to their rows beside what every end of a lease adds
   */
  LeaseOperation(List<NamedLease> leases, long moreBytes) {
    this.leases = leases;
    this.cost = cost(leases, moreBytes);
    this.moreBytes = moreBytes;
  }

  /**
   * Returns the cost of an operation on the leases. Each run of leases of one queue is counted as a
   * queue of its own.
   */
  private static Cost cost(List<NamedLease> leases, long moreBytes) {
    int operations = 0;
    long bytes = moreBytes;
    int last = 0;
    for (int i = 0; i < leases.size(); i++) {
      NamedLease lease = leases.get(i);
      operations += EACH.operations() + lease.historyCount();
      bytes += EACH.bytes() + (long) RowBytes.KEY * lease.historyCount() + lease.errorBytesMax();
      operations += lease.uniqueKeyBytesMax() == 0 ? 0 : 1;
      bytes += lease.uniqueKeyBytesMax() + lease.signalBytesMax();
      if (i == 0 || lease.queue() != last) {
        operations += Cost.COUNTS.operations();
        bytes += Cost.COUNTS.bytes();
      }
      if (lease.mayHoldSlot()) {
        Cost slot = lease.mayHoldSlotOfEngine() ? ENGINE_SLOT : SLOT;
        operations += slot.operations();
        bytes += slot.bytes();
      }
      if (lease.mayHaveTally()) {
        operations += Cost.TALLY.operations();
        bytes += Cost.TALLY.bytes();
      }
      last = lease.queue();
    }
    return new Cost(operations, bytes);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return cost;
  }

  @Override
  public long bytes() {
    return (long) ROW_BYTES * leases.size() + moreBytes;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (NamedLease named : leases) {
      named.forgetRecord();
      LeaseEntry lease = named.known(state);
      if (lease != null) {
        Queues.declare(state, reads, lease.queue());
      }
      if (lease != null && givesUpSlot()) {
        Slots.declare(state, reads, lease.slot());
        Tallies.declare(state, reads, lease.tally());
      }
      if (lease != null && needsRecord(state, lease)) {
        named.declareRecord(lease, reads);
      }
    }
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public final Plan<List<R>> check(OpenBatch batch) {
    return Plan.inOrder(batch, leases, named -> check(batch, named));
  }

  private Plan<R> check(OpenBatch batch, NamedLease named) {
    LeaseEntry lease = named.current(batch);
    if (lease == null) {
      return Plan.answer(lost(named.lost(batch)));
    }
    QueueState queue = Queues.of(batch, lease);
    R cancelled = cancelled();
    if (cancelled != null && batch.planned().isCancelRequested(lease)) {
      return new LeaseEnd<>(queue, lease, null, Total.CANCELLED, cancelled);
    }
    return held(batch, queue, lease, named);
  }

  /** Tells whether the job's record is looked at. */
  abstract boolean needsRecord(WorkingSet state, LeaseEntry lease);

  /** Tells whether the job is, as a rule, neither ready nor leased afterwards. */
  boolean givesUpSlot() {
    return false;
  }

  /** Returns the answer for a job whose lease is not current. */
  abstract R lost(NamedLease.Lost why);

  /**
   * Returns the answer for a job that is to be cancelled and goes, if this operation ends leases
   * without the jobs being done; null if it does not.
   */
  @Nullable R cancelled() {
    return null;
  }

  /** Judges the operation on a current lease; reads through {@link NamedLease#record}. */
  abstract Plan<R> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named);
}

package io.millrace.internal.transition;

import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the holders of leases do with their jobs, one or many in a call.
 *
 * @param <R> how it ended for each
 */
abstract class LeaseTransition<R> implements Transition<List<R>> {

  /** READY, LEASE, MOVED, the place that the job moves to, TIMER, and HISTORY twice. */
  private static final int OPERATIONS_PER_JOB = 7;

  private static final int ROW_BYTES = 400;

  private final List<LeaseRef> leases;

  LeaseTransition(List<LeaseRef> leases) {
    this.leases = leases;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    int count = OPERATIONS_PER_JOB * leases.size() + Change.ROWS_PER_QUEUE * queueCountMax();
    for (LeaseRef lease : leases) {
      count += lease.historyCount();
    }
    return count;
  }

  @Override
  public long bytesMax() {
    long bytes = (long) RowBytes.COUNTERS * queueCountMax();
    for (LeaseRef lease : leases) {
      bytes += RowBytes.MOVE + (long) RowBytes.KEY * lease.historyCount() + lease.errorBytesMax();
    }
    return bytes;
  }

  /** Of as many queues as there may be, counted as if none came back. */
  private int queueCountMax() {
    int count = 0;
    int last = 0;
    for (LeaseRef lease : leases) {
      count += count == 0 || lease.queue() != last ? 1 : 0;
      last = lease.queue();
    }
    return count;
  }

  @Override
  public long bytes() {
    return (long) ROW_BYTES * leases.size();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (LeaseRef ref : leases) {
      ref.forgetRecord();
      LeaseEntry lease = ref.known(state);
      if (lease != null && needsRecord(state, lease)) {
        ref.declareRecord(lease, reads);
      }
    }
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public List<R> apply(Change change) {
    if (leases.size() == 1) {
      return List.of(one(change, leases.get(0)));
    }
    for (LeaseRef ref : leases) {
      check(change, ref);
    }
    List<R> results = new ArrayList<>(leases.size());
    for (LeaseRef ref : leases) {
      results.add(one(change, ref));
    }
    return results;
  }

  /** Everything that can fail, for a call of many: before anything is changed for any of them. */
  private void check(Change change, LeaseRef ref) {
    LeaseEntry lease = ref.current(change);
    if (lease == null) {
      ref.lost(change);
    } else {
      change.queueOf(lease);
      if (needsRecord(change.state(), lease)) {
        ref.record(change, lease);
      }
    }
  }

  private R one(Change change, LeaseRef ref) {
    LeaseEntry lease = ref.current(change);
    if (lease == null) {
      return lost(ref.lost(change));
    }
    QueueState queue = change.queueOf(lease);
    R cancelled = cancelled();
    if (cancelled != null && RequestCancel.isTaken(change, queue, lease)) {
      return cancelled;
    }
    return held(change, queue, lease, ref);
  }

  /** Whether the job's record is looked at. */
  abstract boolean needsRecord(WorkingSet state, LeaseEntry lease);

  /** The answer to one whose lease is not current. */
  abstract R lost(LeaseRef.Lost why);

  /**
   * The answer to one that ends its lease without the job being done, if the job is to be cancelled
   * and goes; null if this is no such operation.
   */
  @Nullable R cancelled() {
    return null;
  }

  /**
   * What happens with a current lease; reads through {@link LeaseRef#record} before it changes
   * anything.
   */
  abstract R held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref);
}

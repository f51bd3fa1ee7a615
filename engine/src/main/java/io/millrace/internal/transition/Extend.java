package io.millrace.internal.transition;

import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Leases are lengthened. The store hears of it only when the granted duration grows. */
public final class Extend extends LeaseTransition<ExtendResult> {

  private final long durationMs;
  private final List<LeaseTable.Lengthened> lengthened = new ArrayList<>();

  public Extend(List<LeaseRef> leases, Duration duration) {
    super(leases);
    this.durationMs = duration.toMillis();
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return false;
  }

  @Override
  public List<ExtendResult> apply(Change change) {
    lengthened.clear();
    change.answerAfter(0, Durability.BUFFERED);
    List<ExtendResult> results = super.apply(change);
    for (ExtendResult result : results) {
      if (!(result instanceof ExtendResult.Extended)) {
        // It may be this very batch that ended the lease.
        change.answerAfter(change.batch().number(), change.level());
      }
    }
    if (change.answerCommit() == change.batch().number()) {
      // One answer for all: if the batch never happens, none of them was lengthened.
      change.state().leases().undoWithBatch(lengthened);
    }
    return results;
  }

  @Override
  ExtendResult lost(LeaseRef.Lost why) {
    return lostResult(why);
  }

  @Override
  ExtendResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    boolean isStored = durationMs > lease.grantedMs();
    if (isStored) {
      long grantedBeforeMs = lease.grantedMs();
      change.onUndo(() -> lease.setGrantedMs(grantedBeforeMs));
      lease.setGrantedMs(durationMs);
      LeaseRows.put(change, lease);
    }
    long deadlineBeforeNs = lease.deadlineNs();
    ExtendResult result = lengthen(change, lease, durationMs, isStored);
    lengthened.add(new LeaseTable.Lengthened(lease, deadlineBeforeNs));
    return result;
  }

  static ExtendResult lostResult(LeaseRef.Lost why) {
    return why == LeaseRef.Lost.GONE ? new ExtendResult.Gone() : new ExtendResult.StaleLease();
  }

  /**
   * Moves the lease's end to the duration from now, if that is later than it is. Whatever the
   * answer hangs on in this very batch is not told before it is stored: what else changed with the
   * extension, a cancel that was requested, an end that moved before.
   */
  static ExtendResult lengthen(Change change, LeaseEntry lease, long durationMs, boolean isStored) {
    LeaseTable leases = change.state().leases();
    long endNs = change.leaseNs() + durationMs * 1_000_000;
    boolean hangsOnBatch =
        isStored
            || (lease.isCancelRequested() && !lease.isCancelTold())
            || leases.isExtendedWithBatch(lease);
    if (endNs - lease.deadlineNs() > 0) {
      if (hangsOnBatch) {
        leases.extendWithBatch(lease, endNs);
      } else {
        leases.extend(lease, endNs);
      }
    }
    if (hangsOnBatch) {
      change.answerAfter(change.batch().number(), change.level());
    }
    return new ExtendResult.Extended(
        Duration.ofNanos(lease.deadlineNs() - change.leaseNs()), lease.isCancelRequested());
  }
}

package io.millrace.internal.transition.lease;

import io.millrace.api.ExtendResult;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.LeaseTable;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import java.time.Duration;
import java.util.List;

/** The lengthening of leases. The store hears of it only when the granted duration grows. */
public final class Extend extends LeaseOperation<ExtendResult> {

  private final long durationMs;

  public Extend(List<NamedLease> leases, Duration duration) {
    super(leases, 0);
    this.durationMs = duration.toMillis();
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return false;
  }

  @Override
  ExtendResult lost(NamedLease.Lost why) {
    return lostResult(why);
  }

  @Override
  Plan<ExtendResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    return new Lengthening(lease, durationMs, hangsOnBatch(batch, lease));
  }

  /**
   * Tells whether the answer says something that is only stored with this batch. In a store that
   * several owners share it always does: that no other owner has taken the store over.
   */
  private boolean hangsOnBatch(OpenBatch batch, LeaseEntry lease) {
    return batch.state().rules().isShared()
        || durationMs > lease.grantedMs()
        || (batch.planned().isCancelRequested(lease) && !lease.isCancelTold())
        || batch.state().leases().isProvisional(lease);
  }

  /** The plan that a lease is lengthened. */
  private record Lengthening(LeaseEntry lease, long durationMs, boolean hangsOnBatch)
      implements Plan<ExtendResult> {

    @Override
    public ExtendResult carryOut(OpenBatch batch) {
      long grantedBeforeMs = lease.grantedMs();
      if (durationMs > grantedBeforeMs) {
        batch.onUndo(() -> lease.setGrantedMs(grantedBeforeMs));
        lease.setGrantedMs(durationMs);
        LeaseRows.put(batch, lease);
      }
      return lengthen(batch, lease, durationMs);
    }
  }

  static ExtendResult lostResult(NamedLease.Lost why) {
    return why == NamedLease.Lost.GONE ? new ExtendResult.Gone() : new ExtendResult.StaleLease();
  }

  /**
   * Moves the lease's end to the duration from now, if that is later than it is. If the answer
   * hangs on the batch, so does the end.
   */
  static ExtendResult lengthen(OpenBatch batch, LeaseEntry lease, long durationMs) {
    LeaseTable leases = batch.state().leases();
    long endNs = batch.leaseNs() + Nanos.ofMs(durationMs);
    if (endNs - lease.deadlineNs() > 0) {
      if (batch.answerCommit() == batch.writes().number()) {
        leases.makeProvisional(lease, lease.deadlineNs());
      }
      leases.extend(lease, endNs);
    }
    return new ExtendResult.Extended(
        Duration.ofNanos(lease.deadlineNs() - batch.leaseNs()), lease.isCancelRequested());
  }
}

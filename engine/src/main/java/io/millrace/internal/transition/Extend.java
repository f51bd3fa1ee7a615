package io.millrace.internal.transition;

import io.millrace.api.Durability;
import io.millrace.api.ExtendResult;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.time.Duration;
import java.util.List;

/** Leases are lengthened. The store hears of it only when the granted duration grows. */
public final class Extend extends LeaseTransition<ExtendResult> {

  private final long durationMs;

  public Extend(List<LeaseRef> leases, Duration duration) {
    super(leases);
    this.durationMs = duration.toMillis();
  }

  @Override
  boolean needsRecord() {
    return false;
  }

  @Override
  public List<ExtendResult> apply(Change change) {
    change.answerAfter(0, Durability.BUFFERED);
    return super.apply(change);
  }

  @Override
  ExtendResult lost(LeaseRef.Lost why) {
    return lostResult(why);
  }

  @Override
  ExtendResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    if (durationMs > lease.grantedMs()) {
      long grantedBeforeMs = lease.grantedMs();
      change.onUndo(() -> lease.setGrantedMs(grantedBeforeMs));
      lease.setGrantedMs(durationMs);
      Claim.putRow(change, lease);
      change.answerAfter(change.batch().number(), change.level());
    }
    return lengthen(change, lease, durationMs);
  }

  static ExtendResult lostResult(LeaseRef.Lost why) {
    return why == LeaseRef.Lost.GONE ? new ExtendResult.Gone() : new ExtendResult.StaleLease();
  }

  /**
   * Moves the lease's end to the duration from now, if that is later than it is. A cancel that was
   * requested in this very batch is not told before it is stored.
   */
  static ExtendResult lengthen(Change change, LeaseEntry lease, long durationMs) {
    long endNs = change.leaseNs() + durationMs * 1_000_000;
    if (endNs - lease.deadlineNs() > 0) {
      change.state().leases().extend(lease, endNs);
    }
    if (lease.isCancelRequested() && !lease.isCancelTold()) {
      change.answerAfter(change.batch().number(), change.level());
    }
    return new ExtendResult.Extended(
        Duration.ofNanos(lease.deadlineNs() - change.leaseNs()), lease.isCancelRequested());
  }
}

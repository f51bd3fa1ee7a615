package io.millrace.internal.transition;

import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.util.List;

/** A leased job is handed back until a time; the attempt does not count. */
public final class Snooze extends LeaseTransition<ReleaseResult> {

  private final Until until;

  /**
   * How long.
   *
   * @param kind whether the number is a duration from now or an instant
   * @param ms in milliseconds
   */
  public record Until(Kind kind, long ms) {
    /** What the number means. */
    public enum Kind {
      DELAY,
      INSTANT
    }
  }

  public Snooze(List<LeaseRef> leases, Until until) {
    super(leases);
    this.until = until;
  }

  @Override
  boolean needsRecord() {
    return true;
  }

  @Override
  ReleaseResult lost(LeaseRef.Lost why) {
    return Release.lostResult(why);
  }

  @Override
  ReleaseResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    if (lease.isCancelRequested()) {
      RequestCancel.end(change, queue, lease);
      return ReleaseResult.CANCELLED;
    }
    JobRecord job = ref.record(change, lease);
    boolean isDelay = until.kind() == Until.Kind.DELAY;
    Moves.leaveLeased(change, queue, lease);
    Moves.enterDelayedOrReady(
        change,
        queue,
        job,
        isDelay ? change.nowMs() + until.ms() : until.ms(),
        isDelay ? change.nowMs() : 0);
    queue.countTotal(Total.SNOOZED);
    return ReleaseResult.RELEASED;
  }
}

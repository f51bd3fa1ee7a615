package io.millrace.internal.transition.lease;

import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobRecordBuilder;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.Destination;
import java.util.List;

/** The return of leased jobs until a time; the attempts do not count. */
public final class Snooze extends LeaseOperation<ReleaseResult> {

  private final Until until;

  /**
   * The end of the pause.
   *
   * @param kind whether the number is a duration from now or an instant, and what the next attempt
   *     is told
   * @param ms in milliseconds
   */
  public record Until(Kind kind, long ms) {
    /** The meaning of the number. */
    public enum Kind {
      DELAY,
      INSTANT,
      /**
       * A duration from now, of which the next attempt is not told: it begins for the reason for
       * which this one did.
       */
      REST
    }
  }

  public Snooze(List<NamedLease> leases, Until until) {
    super(leases, 0);
    this.until = until;
  }

  @Override
  boolean givesUpSlot() {
    return true;
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  ReleaseResult lost(NamedLease.Lost why) {
    return Release.lostResult(why);
  }

  @Override
  ReleaseResult cancelled() {
    return ReleaseResult.CANCELLED;
  }

  @Override
  Plan<ReleaseResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecordBuilder job = named.record(batch, lease).toBuilder().set(JobField.EXPIRE_AT_MS, 0);
    if (until.kind() != Until.Kind.REST) {
      job.wake(JobRecord.WAKE_SLEPT);
    }
    Destination to =
        until.kind() == Until.Kind.INSTANT
            ? Destination.visibleAt(batch, until.ms(), 0)
            : Destination.visibleAt(batch, batch.nowMs() + until.ms(), batch.nowMs());
    LeaseEnd.Next next = new LeaseEnd.Next(job.build(), to);
    return new LeaseEnd<>(queue, lease, next, Total.SNOOZED, ReleaseResult.RELEASED);
  }
}

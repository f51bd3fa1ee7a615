package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.ReleaseResult;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.state.AttemptEnd;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.queue.Queues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The return of leased jobs to their old places; the attempts do not count. */
public final class Release extends LeaseOperation<ReleaseResult> {

  public Release(List<NamedLease> leases) {
    super(leases, 0);
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  ReleaseResult lost(NamedLease.Lost why) {
    return lostResult(why);
  }

  @Override
  ReleaseResult cancelled() {
    return ReleaseResult.CANCELLED;
  }

  @Override
  Plan<ReleaseResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    return new HandingBack<>(queue, lease, named.record(batch, lease), ReleaseResult.RELEASED);
  }

  /**
   * Returns the plan that ends a lease which somebody else than its holder wants to end.
   *
   * @param released the answer if its job is handed back
   * @param cancelled the answer if its cancel mark takes the job along
   * @throws CorruptDataException the job's record is damaged, or not there; it will be set aside
   */
  public static <R> Plan<R> taken(OpenBatch batch, LeaseEntry lease, R released, R cancelled) {
    QueueState queue = Queues.of(batch, lease);
    if (batch.planned().isCancelRequested(lease)) {
      return new LeaseEnd<>(queue, lease, null, Total.CANCELLED, cancelled);
    }
    byte[] key = lease.readyKey();
    Planned.After after = batch.planned().of(lease.birth());
    JobRecord planned = after == null ? null : after.job();
    JobRecord job = planned == null ? Records.decode(batch, key, batch.get(key)) : planned;
    return new HandingBack<>(queue, lease, job, released);
  }

  /** The plan that a lease ends, and its job is ready at its old place. */
  private record HandingBack<R>(QueueState queue, LeaseEntry lease, JobRecord job, R answer)
      implements Plan<R> {

    @Override
    public R carryOut(OpenBatch batch) {
      handBack(batch, queue, lease, withoutTimeToLive(batch, lease, job));
      return answer;
    }

    @Override
    public void foretell(OpenBatch batch) {
      JobRecord started = job.toBuilder().set(JobField.EXPIRE_AT_MS, 0).build();
      Planned.After after = Planned.After.of(JobState.READY, started);
      batch.planned().put(queue, lease.birth(), JobState.LEASED, after);
    }
  }

  /** Wants the rows that are looked at when a lease is handed back. */
  public static void declare(WorkingSet state, RowReads reads, LeaseEntry lease) {
    Queues.declare(state, reads, lease.queue());
    reads.wantByKey(lease.readyKey());
  }

  /**
   * Hands back a job that its holder did not finish. A corrupt record is reported and set aside.
   */
  static void handBack(OpenBatch batch, LeaseEntry lease) {
    QueueState queue = Queues.of(batch, lease);
    if (!Moves.isTakenByCancel(batch, queue, lease)) {
      JobRecord job = recordOrReport(batch, lease);
      if (job != null) {
        handBack(batch, queue, lease, withoutTimeToLive(batch, lease, job));
      }
    }
  }

  /**
   * Hands back a job whose holder was never told of the lease: nobody has started the job, so its
   * time to live goes on.
   */
  static void handBackUntold(OpenBatch batch, LeaseEntry lease) {
    QueueState queue = Queues.of(batch, lease);
    if (Moves.isTakenByCancel(batch, queue, lease)) {
      giveTokensBack(batch, queue, lease);
      batch.wake(queue);
    } else {
      JobRecord job = recordOrReport(batch, lease);
      if (job != null) {
        batch.putOwned(OwnedRows.timer(lease.readyKey(), job));
        handBack(batch, queue, lease, job);
      }
    }
  }

  private static @Nullable JobRecord recordOrReport(OpenBatch batch, LeaseEntry lease) {
    byte[] key = lease.readyKey();
    return Records.decodeOrReport(batch, key, batch.get(key));
  }

  /**
   * Returns the record without a time to live, and puts it anew if it had one: a job that was
   * started has none any more.
   */
  private static JobRecord withoutTimeToLive(OpenBatch batch, LeaseEntry lease, JobRecord job) {
    if (job.expireAtMs() == 0) {
      return job;
    }
    JobRecord started = job.toBuilder().set(JobField.EXPIRE_AT_MS, 0).build();
    batch.put(lease.readyKey(), started.encode(lease.readyKey()));
    return started;
  }

  /**
   * Gives the tokens of the lease back: a start that does not count takes nothing of the rate
   * limits.
   */
  private static void giveTokensBack(OpenBatch batch, QueueState queue, LeaseEntry lease) {
    batch.state().rates().giveBack(queue, lease, batch.context().steadyMs());
  }

  private static void handBack(OpenBatch batch, QueueState queue, LeaseEntry lease, JobRecord job) {
    giveTokensBack(batch, queue, lease);
    Moves.handBack(batch, queue, lease, job);
    queue.countEnd(Total.RELEASED, lease, AttemptEnd.to(JobState.READY), batch.nowMs());
  }

  static ReleaseResult lostResult(NamedLease.Lost why) {
    return why == NamedLease.Lost.GONE ? ReleaseResult.GONE : ReleaseResult.STALE_LEASE;
  }
}

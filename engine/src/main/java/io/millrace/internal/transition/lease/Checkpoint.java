package io.millrace.internal.transition.lease;

import io.millrace.api.ExtendResult;
import io.millrace.api.JobState;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import java.util.List;
import java.util.Map;

/**
 * The keeping of a state that the next attempt can go on from. It lengthens the lease by its own
 * duration.
 */
public final class Checkpoint extends LeaseOperation<ExtendResult> {

  private final BlobRecord content;

  /**
   * Creates a checkpoint.
   *
   * @param state must not change any more
   */
  public Checkpoint(NamedLease lease, byte[] state) {
    super(List.of(lease), state.length + RowBytes.JOB);
    this.content = new BlobRecord(state, Map.of());
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  ExtendResult lost(NamedLease.Lost why) {
    return Extend.lostResult(why);
  }

  @Override
  Plan<ExtendResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecord job = named.record(batch, lease);
    Payload state =
        content.contentBytes() > Payload.INLINE_BYTES_MAX
            ? content.asVersion(job.nextBlobVersion())
            : new Payload.Inline(content.payload(), Map.of());
    return new Keeping(queue, lease, job.toBuilder().checkpointed(state).build(), content);
  }

  /**
   * The plan that a leased job gets another state.
   *
   * @param job its record with the new state
   */
  private record Keeping(QueueState queue, LeaseEntry lease, JobRecord job, BlobRecord content)
      implements Plan<ExtendResult> {

    @Override
    public ExtendResult carryOut(OpenBatch batch) {
      Holdings before = lease.holdings();
      lease.setHoldings(before.replaceState(batch.writes(), job.checkpointedVersion(), content));
      batch.onUndo(() -> lease.setHoldings(before));
      byte[] key = lease.readyKey();
      batch.put(key, job.encode(key));
      batch.state().markChanged(queue);
      return Extend.lengthen(batch, lease, lease.grantedMs());
    }

    @Override
    public void foretell(OpenBatch batch) {
      Planned.After after = Planned.After.of(JobState.LEASED, job);
      batch.planned().put(queue, lease.birth(), JobState.LEASED, after);
    }
  }
}

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
 * The payload that a retry starts from is replaced, and the lease is lengthened by its own
 * duration.
 */
public final class Checkpoint extends LeaseOperation<ExtendResult> {

  private final BlobRecord content;

  /** The headers are those of the job: they stay. The payload must not change any more. */
  public Checkpoint(NamedLease lease, byte[] payload, Map<String, String> headers) {
    this(lease, new BlobRecord(payload, headers));
  }

  private Checkpoint(NamedLease lease, BlobRecord content) {
    super(List.of(lease), content.contentBytes() + RowBytes.JOB);
    this.content = content;
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
    Payload payload = new Payload.Inline(content.payload(), content.headers());
    if (content.contentBytes() > Payload.INLINE_BYTES_MAX) {
      payload = content.asVersion(job.payload().blobVersion() + 1);
    }
    return new Replacing(queue, lease, job.toBuilder().payload(payload).build(), content);
  }

  /**
   * The plan that a leased job gets another payload.
   *
   * @param job its record with the new payload
   */
  private record Replacing(QueueState queue, LeaseEntry lease, JobRecord job, BlobRecord content)
      implements Plan<ExtendResult> {

    @Override
    public ExtendResult carryOut(OpenBatch batch) {
      Holdings before = lease.holdings();
      lease.setHoldings(before.replaceBlob(batch.writes(), job.payload().blobVersion(), content));
      batch.onUndo(() -> lease.setHoldings(before));
      byte[] key = lease.readyKey();
      batch.put(key, job.encode(key));
      batch.state().markChanged(queue);
      return Extend.lengthen(batch, lease, lease.grantedMs());
    }

    @Override
    public void foretell(OpenBatch batch) {
      Planned.After after = new Planned.After(JobState.LEASED, job, content, false);
      batch.planned().put(queue, lease.birth(), JobState.LEASED, after);
    }
  }
}

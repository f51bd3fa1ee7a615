package io.millrace.internal.transition;

import io.millrace.api.ExtendResult;
import io.millrace.internal.format.BlobKeys;
import io.millrace.internal.format.BlobRecord;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Payload;
import io.millrace.internal.state.Holdings;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import java.util.List;
import java.util.Map;

/**
 * The payload that a retry starts from is replaced, and the lease is lengthened by its own
 * duration.
 */
public final class Checkpoint extends LeaseTransition<ExtendResult> {

  private final BlobRecord content;

  /** The headers are those of the job: they stay. The payload must not change any more. */
  public Checkpoint(LeaseRef lease, byte[] payload, Map<String, String> headers) {
    super(List.of(lease));
    this.content = new BlobRecord(payload, headers);
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  public long bytesMax() {
    return super.bytesMax() + content.contentBytes() + RowBytes.JOB;
  }

  @Override
  public long bytes() {
    return super.bytes() + content.payload().length;
  }

  @Override
  boolean needsRecord(WorkingSet state, LeaseEntry lease) {
    return true;
  }

  @Override
  ExtendResult lost(LeaseRef.Lost why) {
    return Extend.lostResult(why);
  }

  @Override
  ExtendResult held(Change change, QueueState queue, LeaseEntry lease, LeaseRef ref) {
    JobRecord job = ref.record(change, lease);
    Holdings before = lease.holdings();
    int oldVersion = before.blobVersion();
    int newVersion = 0;
    Payload payload = new Payload.Inline(content.payload(), content.headers());
    if (content.contentBytes() > Payload.INLINE_BYTES_MAX) {
      newVersion = oldVersion + 1;
      payload = content.asVersion(newVersion);
      byte[] key = BlobKeys.key(lease.queue(), lease.birth(), newVersion);
      change.put(key, content.encode(key));
    }
    if (oldVersion != 0) {
      change.delete(BlobKeys.key(lease.queue(), lease.birth(), oldVersion));
    }
    lease.setHoldings(before.withBlob(newVersion));
    change.onUndo(() -> lease.setHoldings(before));
    byte[] key = lease.readyKey();
    change.put(key, job.toBuilder().payload(payload).build().encode(key));
    change.state().markChanged(queue);
    return Extend.lengthen(change, lease, lease.grantedMs(), true);
  }
}

package io.millrace.internal.transition.lease;

import io.millrace.api.CorruptDataException;
import io.millrace.api.Limits;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.Records;
import io.millrace.internal.transition.RowReads;
import org.jspecify.annotations.Nullable;

/**
 * The lease that a request names, by the job and the token that its holder was given. It may have
 * ended since.
 *
 * <p>For one request only: it keeps the rows that it declared.
 */
public final class NamedLease {

  private final Grant grant;
  private RowReads.@Nullable Row record;

  /** The lease as it was granted: of its state only what never changes is looked at. */
  public NamedLease(Grant grant) {
    this.grant = grant;
  }

  private long birth() {
    return grant.lease().birth();
  }

  /** How a lease stands that is not current. */
  enum Lost {
    STALE_LEASE,
    GONE
  }

  /** The lease on the job, current or not, or null. */
  @Nullable LeaseEntry known(WorkingSet state) {
    return state.leases().get(birth());
  }

  /** Number of the queue. */
  int queue() {
    return grant.lease().queue();
  }

  /** How many rows of finished attempts go when the job is completed. */
  int historyCount() {
    return Math.min(grant.lease().holdings().finishedAttempts(), Limits.HISTORY_COUNT_MAX);
  }

  /** The most that the text of the job's last error takes. */
  int errorBytesMax() {
    String error = grant.job().lastError();
    return error == null ? 0 : Math.min(3 * error.length(), RowBytes.ERROR);
  }

  /** Wants the job's record, for operations that rewrite it. */
  void declareRecord(LeaseEntry lease, RowReads reads) {
    record = reads.want(lease.readyKey());
  }

  /** What was read for a batch that never happened is not true any more. */
  void forgetRecord() {
    record = null;
  }

  /**
   * The lease, if it is the job's current one and its time had not passed when the request was
   * submitted; else null.
   */
  @Nullable LeaseEntry current(OpenBatch batch) {
    LeaseEntry lease = batch.planned().leaseOn(birth(), batch.state().leases());
    boolean isCurrent =
        lease != null
            && lease.token() == grant.lease().token()
            && !(lease.isTold() && lease.deadlineNs() - batch.leaseNs() <= 0);
    return isCurrent ? lease : null;
  }

  /** Why the lease is not current. */
  Lost lost(OpenBatch batch) {
    Planned.After after = batch.planned().of(birth());
    if (after != null && after.state() == null) {
      return Lost.GONE;
    }
    boolean isOfDropped = batch.state().isDropped(grant.lease().queue());
    return !isOfDropped && exists(batch) ? Lost.STALE_LEASE : Lost.GONE;
  }

  private boolean exists(OpenBatch batch) {
    JobAddress address = grant.job().address(grant.lease().queue());
    return batch.state().leases().isLeased(birth())
        || batch.get(MovedKeys.key(address.queue(), birth())) != null
        || (address.birthKind() == Keyspace.READY && batch.get(address.birthReadyKey()) != null);
  }

  /**
   * The record of the leased job.
   *
   * @throws CorruptDataException it is damaged, or not there; it will be set aside
   */
  JobRecord record(OpenBatch batch, LeaseEntry lease) {
    Planned.After after = batch.planned().of(birth());
    if (after != null && after.job() != null) {
      return after.job();
    }
    byte[] key = lease.readyKey();
    byte[] value = record == null ? batch.get(key) : batch.get(record);
    return Records.decode(batch, key, value);
  }
}

package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import org.jspecify.annotations.Nullable;

/**
 * The lease that an operation is about, as its holder knows it: a job and a token.
 *
 * <p>For one request only: it keeps the rows that it declared.
 */
public final class LeaseRef {

  private final JobAddress address;
  private final long token;
  private RowReads.@Nullable Row record;

  public LeaseRef(JobId jobId, long token) {
    this.address =
        JobAddress.of(jobId)
            .orElseThrow(() -> new IllegalArgumentException("not a job id: " + jobId));
    this.token = token;
  }

  /** How a lease stands that is not current. */
  enum Lost {
    STALE_LEASE,
    GONE
  }

  /** Wants the job's record, for operations that rewrite it. */
  void declareRecord(WorkingSet state, RowReads reads) {
    LeaseEntry lease = state.leases().get(address.birth());
    record = lease == null ? null : reads.want(lease.readyKey());
  }

  /**
   * The lease, if it is the job's current one and its time had not passed when the request was
   * submitted; else null.
   */
  @Nullable LeaseEntry current(Change change) {
    LeaseEntry lease = change.state().leases().get(address.birth());
    boolean isCurrent =
        lease != null
            && lease.token() == token
            && !(lease.isRunning() && lease.deadlineNs() - change.leaseNs() <= 0);
    return isCurrent ? lease : null;
  }

  /** Why the lease is not current. */
  Lost lost(Change change) {
    return exists(change) ? Lost.STALE_LEASE : Lost.GONE;
  }

  private boolean exists(Change change) {
    return change.state().leases().isLeased(address.birth())
        || change.get(MovedKeys.key(address.queue(), address.birth())) != null
        || (address.birthKind() == Keyspace.READY && change.get(address.birthReadyKey()) != null);
  }

  /**
   * The record of the leased job.
   *
   * @throws CorruptDataException it is damaged, or not there; it will be set aside
   */
  JobRecord record(Change change, LeaseEntry lease) {
    byte[] key = lease.readyKey();
    byte[] value = record == null ? change.get(key) : change.get(record);
    return Records.decode(change, key, value);
  }
}

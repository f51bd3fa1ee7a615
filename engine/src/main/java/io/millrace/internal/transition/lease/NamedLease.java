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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lease that a request names, by the job and the token that its holder was given. It may have
 * ended since.
 *
 * <p>An object serves one request only: it keeps the rows that it declared.
 */
public final class NamedLease {

  private final int queue;
  private final long birth;
  private final long token;
  private final int historyCount;
  private final int errorBytesMax;
  private final int uniqueKeyBytesMax;
  private final int signalBytesMax;
  private final @Nullable JobRecord granted;
  private final @Nullable JobAddress told;
  private RowReads.@Nullable Row record;

  /** Names the lease as it was granted: of its state only what never changes is looked at. */
  public NamedLease(Grant grant) {
    LeaseEntry lease = grant.lease();
    String error = grant.job().lastError();
    queue = lease.queue();
    birth = lease.birth();
    token = lease.token();
    historyCount = Math.min(lease.holdings().finishedAttempts(), Limits.HISTORY_COUNT_MAX);
    errorBytesMax = error == null ? 0 : Math.min(3 * error.length(), RowBytes.ERROR);
    uniqueKeyBytesMax = grant.job().uniqueKey() == null ? 0 : RowBytes.UNIQUE_KEY;
    signalBytesMax = length(grant.job().signal()) + length(grant.job().signalPayload());
    granted = grant.job();
    told = null;
  }

  /** Names the lease by the job and the token that its holder tells; the holder may be anywhere. */
  public NamedLease(JobAddress job, long token) {
    this.queue = job.queue();
    this.birth = job.birth();
    this.token = token;
    historyCount = Limits.HISTORY_COUNT_MAX;
    errorBytesMax = RowBytes.ERROR;
    uniqueKeyBytesMax = RowBytes.UNIQUE_KEY;
    signalBytesMax = Limits.KEY_BYTES_MAX + Limits.SIGNAL_BYTES_MAX;
    granted = null;
    told = job;
  }

  /** Returns the address of the job at its birth. */
  JobAddress address() {
    return granted == null ? Objects.requireNonNull(told) : granted.address(queue);
  }

  /** The reasons for which a lease is not current. */
  enum Lost {
    STALE_LEASE,
    GONE
  }

  /** Returns the lease on the job, current or not, or null. */
  @Nullable LeaseEntry known(WorkingSet state) {
    return state.leases().get(birth);
  }

  /** Returns the number of the queue. */
  int queue() {
    return queue;
  }

  /** Returns the most rows of finished attempts that go when the job is completed. */
  int historyCount() {
    return historyCount;
  }

  /** Tells whether the job may hold a slot, which then goes to another one. */
  boolean mayHoldSlot() {
    return granted == null || granted.concurrencyKey() != null;
  }

  /** Tells whether that slot may be one of a key of the engine. */
  boolean mayHoldSlotOfEngine() {
    return granted == null || granted.engineMost() > 0;
  }

  /** Tells whether a tally may count the job. */
  boolean mayHaveTally() {
    return granted == null || granted.tally() != 0;
  }

  /** Returns the most bytes that the text of the job's last error takes. */
  int errorBytesMax() {
    return errorBytesMax;
  }

  /** Returns the most bytes that the deletion of the job's unique key takes; 0 if it has none. */
  int uniqueKeyBytesMax() {
    return uniqueKeyBytesMax;
  }

  /** Returns the most bytes that the signal takes which the job was told. */
  int signalBytesMax() {
    return signalBytesMax;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** Wants the job's record, for operations that rewrite it. */
  void declareRecord(LeaseEntry lease, RowReads reads) {
    record = reads.want(lease.readyKey());
  }

  /** Forgets the record that was read for a batch that never happened: it may be out of date. */
  void forgetRecord() {
    record = null;
  }

  /**
   * Returns the lease, if it is the job's current one and its time had not passed when the request
   * was submitted; else null.
   */
  @Nullable LeaseEntry current(OpenBatch batch) {
    LeaseEntry lease = batch.planned().leaseOn(birth, batch.state().leases());
    boolean isCurrent =
        lease != null
            && lease.token() == token
            && lease.queue() == queue
            && !(lease.isTold() && lease.deadlineNs() - batch.leaseNs() <= 0);
    return isCurrent ? lease : null;
  }

  /** Tells whether the lease is {@link #current}. */
  public boolean isCurrent(OpenBatch batch) {
    return current(batch) != null;
  }

  /** Returns the reason for which the lease is not current. */
  Lost lost(OpenBatch batch) {
    Planned.After after = batch.planned().of(birth);
    if (after != null && after.state() == null) {
      return Lost.GONE;
    }
    boolean isOfDropped = batch.state().isDropped(queue);
    return !isOfDropped && exists(batch) ? Lost.STALE_LEASE : Lost.GONE;
  }

  private boolean exists(OpenBatch batch) {
    JobAddress address = address();
    return batch.state().leases().isLeased(birth)
        || batch.get(MovedKeys.key(queue, birth)) != null
        || (address.birthKind() == Keyspace.READY && batch.get(address.birthReadyKey()) != null);
  }

  /**
   * Returns the record of the leased job.
   *
   * @throws CorruptDataException the record is damaged, or not there; it will be set aside
   */
  JobRecord record(OpenBatch batch, LeaseEntry lease) {
    Planned.After after = batch.planned().of(birth);
    if (after != null && after.job() != null) {
      return after.job();
    }
    byte[] key = lease.readyKey();
    byte[] value = record == null ? batch.get(key) : batch.get(record);
    return Records.decode(batch, key, value);
  }
}

package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.queue.Queues;
import org.jspecify.annotations.Nullable;

/** The place of a job's record: the address that is its id, or where its MOVED row says. */
final class JobPlace {

  private final JobAddress address;

  JobPlace(JobAddress address) {
    this.address = address;
  }

  /** Returns the place of a job; null if the id cannot be one of ours, so that no job has it. */
  static @Nullable JobPlace of(JobId id) {
    return JobAddress.of(id).map(JobPlace::new).orElse(null);
  }

  /** A follow-up to the read of a job's record, which names further rows. */
  interface OfRecord {

    /**
     * Wants the further rows.
     *
     * @throws CorruptDataException the record is damaged, and names nothing
     */
    void want(byte[] key, byte[] value);
  }

  /** Wants the job's record, and its queue; of a job that is leased, memory knows the place. */
  void declare(WorkingSet state, RowReads reads) {
    declare(state, reads, (key, value) -> {});
  }

  /**
   * Wants the job's record, the further rows that it names, and its queue; of a job that is leased,
   * memory knows the place.
   */
  void declare(WorkingSet state, RowReads reads, OfRecord more) {
    Queues.declare(state, reads, address.queue());
    if (state.leases().isLeased(address.birth())) {
      return;
    }
    byte[] movedKey = MovedKeys.key(address.queue(), address.birth());
    reads.wantByKey(
        movedKey,
        value -> {
          byte[] place = value == null ? null : MovedRecord.decode(movedKey, value).key();
          if (place != null && Keyspace.find(place) != null) {
            wantRecord(reads, place, more);
          }
        });
    if (address.birthKind() == Keyspace.READY) {
      wantRecord(reads, address.birthReadyKey(), more);
    }
  }

  private static void wantRecord(RowReads reads, byte[] key, OfRecord more) {
    reads.wantByKey(
        key,
        value -> {
          if (value != null) {
            more.want(key, value);
          }
        });
  }

  int queue() {
    return address.queue();
  }

  long birth() {
    return address.birth();
  }

  private static byte[] moved(OpenBatch batch, byte[] movedKey, byte[] value) {
    try {
      return MovedRecord.decode(movedKey, value).key();
    } catch (CorruptDataException e) {
      batch.reportCorrupt(movedKey);
      throw e;
    }
  }

  /** Returns the key of the job's record as the group sees it; null if the job does not exist. */
  byte @Nullable [] find(OpenBatch batch) {
    if (batch.state().isDropped(address.queue())) {
      return null;
    }
    byte[] movedKey = MovedKeys.key(address.queue(), address.birth());
    byte[] value = batch.get(movedKey);
    if (value != null) {
      return moved(batch, movedKey, value);
    }
    if (address.birthKind() != Keyspace.READY) {
      return null;
    }
    byte[] birthKey = address.birthReadyKey();
    return batch.get(birthKey) == null ? null : birthKey;
  }
}

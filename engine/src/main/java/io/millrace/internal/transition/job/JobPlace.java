package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import org.jspecify.annotations.Nullable;

/**
 * Where a job's record is: at the address that is its id, or where its MOVED row says.
 *
 * <p>For one request only: it keeps the rows that it declared.
 */
final class JobPlace {

  private final JobAddress address;
  private RowReads.@Nullable Row moved;
  private RowReads.@Nullable Row born;

  private JobPlace(JobAddress address) {
    this.address = address;
  }

  /** The place of a job; null if the id cannot be one of ours, so that no job has it. */
  static @Nullable JobPlace of(JobId id) {
    return JobAddress.of(id).map(JobPlace::new).orElse(null);
  }

  void declare(RowReads reads) {
    moved = reads.want(MovedKeys.key(address.queue(), address.birth()));
    if (address.birthKind() == Keyspace.READY) {
      born = reads.want(address.birthReadyKey());
    }
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

  /** Key of the job's record as the group sees it; null if the job does not exist. */
  byte @Nullable [] find(OpenBatch batch) {
    if (batch.state().isDropped(address.queue())) {
      return null;
    }
    byte[] movedKey = MovedKeys.key(address.queue(), address.birth());
    byte[] value = moved == null ? batch.get(movedKey) : batch.get(moved);
    if (value != null) {
      return moved(batch, movedKey, value);
    }
    if (address.birthKind() != Keyspace.READY) {
      return null;
    }
    byte[] birthKey = address.birthReadyKey();
    byte[] bornValue = born == null ? batch.get(birthKey) : batch.get(born);
    return bornValue == null ? null : birthKey;
  }
}

package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.UniqueHolds;
import org.jspecify.annotations.Nullable;

/** Who holds a unique key that somebody asks for. */
final class HeldKeys {

  private HeldKeys() {}

  /**
   * The job that holds the key of the row, or held it for a time that has not passed; null if it is
   * free. The start of a job may free its key, and be told before it is stored: then it is put into
   * this batch first.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside and made anew
   */
  static @Nullable UniqueRecord holder(OpenBatch batch, byte[] rowKey) {
    UniqueRecord holder = UniqueHolds.holder(batch, rowKey);
    if (holder == null
        || holder.scope() != UniqueRecord.UNTIL_STARTED
        || !isLeased(batch, holder)) {
      return holder;
    }
    LeaseRows.putAll(batch);
    return UniqueHolds.holder(batch, rowKey);
  }

  private static boolean isLeased(OpenBatch batch, UniqueRecord holder) {
    JobAddress address = JobAddress.of(holder.jobId()).orElse(null);
    return address != null && batch.state().leases().isLeased(address.birth());
  }
}

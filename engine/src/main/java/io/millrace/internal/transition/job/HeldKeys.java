package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.lease.LeaseRows;
import io.millrace.internal.transition.move.UniqueHolds;
import org.jspecify.annotations.Nullable;

/** The holders of unique keys for which a call asks. */
final class HeldKeys {

  private HeldKeys() {}

  /**
   * Returns the job that holds the key of the row, or held it for a time that has not passed; null
   * if the key is free. The start of a job may free its key, and be told before it is stored: then
   * the rows of leases, with which the key is freed, are put into this batch first. What earlier
   * operations of the call will do counts as done.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside and made anew
   */
  static @Nullable UniqueRecord holder(OpenBatch batch, byte[] rowKey) {
    UniqueRecord planned = batch.planned().taker(rowKey);
    UniqueRecord holder = planned == null ? UniqueHolds.holder(batch, rowKey) : planned;
    if (holder == null || isFreed(batch, holder)) {
      return null;
    }
    if (planned != null
        || holder.scope() != UniqueRecord.UNTIL_STARTED
        || !isLeased(batch, holder)) {
      return holder;
    }
    LeaseRows.putAll(batch);
    return UniqueHolds.holder(batch, rowKey);
  }

  private static boolean isFreed(OpenBatch batch, UniqueRecord holder) {
    JobAddress address = JobAddress.of(holder.jobId()).orElse(null);
    return holder.scope() != UniqueRecord.FOR
        && address != null
        && batch.planned().isEnded(address.birth());
  }

  private static boolean isLeased(OpenBatch batch, UniqueRecord holder) {
    JobAddress address = JobAddress.of(holder.jobId()).orElse(null);
    return address != null && batch.state().leases().isLeased(address.birth());
  }
}

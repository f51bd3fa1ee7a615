package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import io.millrace.internal.format.UniqueKeys;
import io.millrace.internal.format.UniqueRecord;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rules by which jobs take and free unique keys.
 *
 * <p><b>The invariant.</b> A job that is neither dead nor done, and whose record has a key of scope
 * UNTIL_STARTED or UNTIL_FINISHED, holds the UNIQUE row of that key, which names it; no other job
 * does. So its end may delete the row without looking, and a job that is dead or done must not. The
 * start of a job with a key of scope UNTIL_STARTED deletes the row and writes STARTED into the
 * record, both with the row of its lease: whoever sees the lease in the store sees the key free.
 *
 * <p>A key of scope FOR is held by the clock: its row has the time when it is free, and a TIMER row
 * deletes it then. Nothing that happens to the job touches it. A row whose time has passed counts
 * as none, whether it is there still or not.
 */
public final class UniqueHolds {

  private UniqueHolds() {}

  /**
   * Returns the job that holds the key of the row, or held it for a time that has not passed; null
   * if the key is free.
   *
   * @throws CorruptDataException the row is damaged; it will be set aside and made anew
   */
  public static @Nullable UniqueRecord holder(OpenBatch batch, byte[] rowKey) {
    UniqueRecord stored = stored(batch, rowKey);
    return stored == null || stored.isExpired(batch.steadyMs()) ? null : stored;
  }

  private static @Nullable UniqueRecord stored(OpenBatch batch, byte[] rowKey) {
    byte[] value = batch.get(rowKey);
    try {
      return value == null ? null : UniqueRecord.decode(rowKey, value);
    } catch (CorruptDataException e) {
      batch.reportCorrupt(rowKey);
      throw e;
    }
  }

  /**
   * Takes for the job the key that its record names, if it names one. No job may hold the key, or
   * be to hold it any longer. A row that is there, and can be read, goes with its timer.
   */
  public static void take(OpenBatch batch, int queue, JobRecord job) {
    byte[] uniqueKey = job.uniqueKey();
    if (uniqueKey == null) {
      return;
    }
    byte[] rowKey = UniqueKeys.key(queue, uniqueKey);
    UniqueRecord before = stored(batch, rowKey);
    Row timerBefore = before == null ? null : OwnedRows.timer(rowKey, before);
    if (timerBefore != null) {
      batch.delete(timerBefore.key());
    }
    UniqueRecord unique = UniqueRecord.of(queue, job);
    batch.put(rowKey, unique.encode(rowKey), before == null);
    batch.putOwned(OwnedRows.timer(rowKey, unique));
  }

  /**
   * Returns the record of a dead job that lives again, with the scope of the key that it takes
   * again.
   */
  static JobRecord afresh(JobRecord job) {
    return job.uniqueScope() == UniqueRecord.STARTED
        ? job.toBuilder().set(JobField.UNIQUE_SCOPE, UniqueRecord.UNTIL_STARTED).build()
        : job;
  }

  /**
   * Returns the leased job's record, with its key freed if the start of the job does that and no
   * batch that is stored has done it.
   */
  public static JobRecord started(OpenBatch batch, LeaseEntry lease, JobRecord job) {
    if (!lease.holdings().isFreedAtStart()) {
      return job;
    }
    lease.holdings().freeKey(batch.writes());
    return job.toBuilder().set(JobField.UNIQUE_SCOPE, UniqueRecord.STARTED).build();
  }

  /**
   * Frees the keys of the queue that a lost job holds, but for those that are held for a time. The
   * lost record alone said whether the job holds one.
   */
  static void forget(OpenBatch batch, int queue, long birth) {
    List<byte[]> rows = new ArrayList<>();
    batch.scan(
        Keyspace.UNIQUE.queueStart(queue),
        Keyspace.UNIQUE.queueEnd(queue),
        (rowKey, value) -> {
          if (isOf(rowKey, value, birth)) {
            rows.add(rowKey);
          }
          return true;
        });
    rows.forEach(batch::delete);
  }

  private static boolean isOf(byte[] rowKey, byte[] value, long birth) {
    try {
      UniqueRecord unique = UniqueRecord.decode(rowKey, value);
      Optional<JobAddress> holder = JobAddress.of(unique.jobId());
      return unique.scope() != UniqueRecord.FOR
          && holder.isPresent()
          && holder.get().birth() == birth;
    } catch (CorruptDataException e) {
      return false;
    }
  }
}

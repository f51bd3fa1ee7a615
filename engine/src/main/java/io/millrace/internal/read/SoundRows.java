package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The sound rows of one view, for checks that are not about those rows: a corrupt one counts as
 * absent here, and is reported by its own check.
 */
final class SoundRows {

  private final ViewRows rows;

  SoundRows(ViewRows rows) {
    this.rows = rows;
  }

  /** Returns the row's record; null if there is none, or none that can be read. */
  <T> @Nullable T get(byte[] key, ViewRows.Decoder<T> decoder) {
    try {
      return rows.get(key, decoder);
    } catch (CorruptDataException e) {
      return null;
    }
  }

  /** Returns the record of the job of this birth; null if it is not at the key. */
  @Nullable JobRecord job(byte[] key, int queue, long birth) {
    JobRecord record = JobFinder.isOfJobs(key, queue) ? get(key, JobRecord::decode) : null;
    return record != null && record.birth() == birth ? record : null;
  }

  /**
   * Returns the job's MOVED row, which tells where its record is; null if there is none that can be
   * read.
   */
  @Nullable MovedRecord moved(int queue, long birth) {
    return get(MovedKeys.key(queue, birth), MovedRecord::decode);
  }
}

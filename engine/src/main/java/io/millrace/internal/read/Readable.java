package io.millrace.internal.read;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.QueueNameKeys;
import io.millrace.internal.format.QueueNameRecord;
import org.jspecify.annotations.Nullable;

/**
 * What other rows say, for checks that are not about those rows: a corrupt one counts as absent
 * here, and is reported by its own check.
 */
final class Readable {

  private final Rows rows;

  Readable(Rows rows) {
    this.rows = rows;
  }

  /** Whether a queue is there. */
  enum QueueState {
    LIVE,
    DROPPED,
    UNKNOWN
  }

  /** The row's record; null if there is none, or none that can be read. */
  <T> @Nullable T get(byte[] key, Rows.Decoder<T> decoder) {
    try {
      return rows.get(key, decoder);
    } catch (CorruptDataException e) {
      return null;
    }
  }

  /** A queue whose name is corrupt is still there, and so are its jobs. */
  QueueState stateOf(int queue) {
    byte[] key = QueueNameKeys.key(queue);
    if (!rows.has(key)) {
      return QueueState.UNKNOWN;
    }
    QueueNameRecord name = get(key, QueueNameRecord::decode);
    boolean isDropped = name != null && name.state() == QueueNameRecord.State.DROPPED;
    return isDropped ? QueueState.DROPPED : QueueState.LIVE;
  }

  /** The record of the job of this birth, if that is what is at the key. */
  @Nullable JobRecord job(byte[] key, int queue, long birth) {
    JobRecord record = JobFinder.isOfJobs(key, queue) ? get(key, JobRecord::decode) : null;
    return record != null && record.birth() == birth ? record : null;
  }

  /** Where the job's MOVED row leads; null if it has none. */
  @Nullable MovedRecord moved(int queue, long birth) {
    return get(MovedKeys.key(queue, birth), MovedRecord::decode);
  }
}

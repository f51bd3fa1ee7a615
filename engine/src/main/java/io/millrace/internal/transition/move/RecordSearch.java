package io.millrace.internal.transition.move;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobSearch;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Records;
import org.jspecify.annotations.Nullable;

/**
 * The search for a job's record when the rows that should tell its place are corrupt: the whole
 * queue is read.
 */
public final class RecordSearch {

  private RecordSearch() {}

  /**
   * Returns the key of the record of this birth sequence, or null: where its MOVED row says, else
   * where it was born. Only a corrupt MOVED row makes this a search of the whole queue.
   */
  public static byte @Nullable [] place(OpenBatch batch, int queue, long birth) {
    int[] priorities = JobSearch.priorities((start, end) -> firstKey(batch, start, end), queue);
    try {
      return JobSearch.place(batch::get, queue, birth, priorities);
    } catch (CorruptDataException e) {
      return find(batch, queue, birth);
    }
  }

  /** Returns the key of the record of this birth sequence, or null; reads the whole queue. */
  public static byte @Nullable [] find(OpenBatch batch, int queue, long birth) {
    byte[][] found = new byte[1][];
    for (Keyspace keyspace : Keyspace.ofJobs()) {
      batch.scan(
          keyspace.queueStart(queue),
          keyspace.queueEnd(queue),
          (key, value) -> {
            JobRecord job = Records.decodeOrReport(batch, key, value);
            if (job != null && job.birth() == birth) {
              found[0] = key;
            }
            return found[0] == null;
          });
      if (found[0] != null) {
        break;
      }
    }
    return found[0];
  }

  private static byte @Nullable [] firstKey(OpenBatch batch, byte[] start, byte[] end) {
    byte[][] first = new byte[1][];
    batch.scan(
        start,
        end,
        1,
        (key, value) -> {
          first[0] = key;
          return false;
        });
    return first[0];
  }
}

package io.millrace.internal.transition;

import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.ReadyKeys;
import org.jspecify.annotations.Nullable;

/** Finds a job's record when the rows that should tell are corrupt: reads the whole queue. */
final class RecordSearch {

  private RecordSearch() {}

  /** Key of the record of this birth sequence, or null. */
  static byte @Nullable [] find(Change change, int queue, long birth) {
    byte[] found = findIn(change, birth, ReadyKeys.queueStart(queue), ReadyKeys.queueEnd(queue));
    if (found == null) {
      found = findIn(change, birth, DelayedKeys.queueStart(queue), DelayedKeys.queueEnd(queue));
    }
    if (found == null) {
      found = findIn(change, birth, DeadKeys.queueStart(queue), DeadKeys.queueEnd(queue));
    }
    if (found == null) {
      found = findIn(change, birth, DoneKeys.queueStart(queue), DoneKeys.queueEnd(queue));
    }
    return found;
  }

  private static byte @Nullable [] findIn(Change change, long birth, byte[] start, byte[] end) {
    byte[][] found = new byte[1][];
    change.scan(
        start,
        end,
        (key, value) -> {
          JobRecord job = Records.decodeOrReport(change, key, value);
          boolean isIt = job != null && job.birth() == birth;
          if (isIt) {
            found[0] = key;
          }
          return !isIt;
        });
    return found[0];
  }
}

package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.internal.format.DeadKeys;
import io.millrace.internal.format.DelayedKeys;
import io.millrace.internal.format.DoneKeys;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.ReadyKeys;
import org.jspecify.annotations.Nullable;

/** Finds a job's record when the rows that should tell are corrupt: reads the whole queue. */
final class RecordSearch {

  private RecordSearch() {}

  /**
   * Key of the record of this birth sequence, or null: where its MOVED row says, else where it was
   * born. Only a corrupt MOVED row makes this a search of the whole queue.
   */
  static byte @Nullable [] place(Change change, int queue, long birth) {
    byte[] movedKey = MovedKeys.key(queue, birth);
    byte[] moved = change.get(movedKey);
    if (moved != null) {
      try {
        return MovedRecord.decode(movedKey, moved).key();
      } catch (CorruptDataException e) {
        return find(change, queue, birth);
      }
    }
    for (int priority = Byte.MAX_VALUE; priority >= Byte.MIN_VALUE; priority--) {
      byte[] key = ReadyKeys.key(queue, priority, birth);
      if (change.get(key) != null) {
        return key;
      }
    }
    return null;
  }

  /** Key of the record of this birth sequence, or null; reads the whole queue. */
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

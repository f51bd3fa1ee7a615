package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The search for a job's record by the birth sequence, which is all that a row of the job tells.
 */
public final class JobSearch {

  private static final int PRIORITY_COUNT = 256;

  private JobSearch() {}

  /** A function that looks a row up. */
  @FunctionalInterface
  public interface Lookup {
    /** Returns the key's value, or null. */
    byte @Nullable [] get(byte[] key);
  }

  /** A function that looks for the first row of a range. */
  @FunctionalInterface
  public interface FirstKey {
    /** Returns the first key of the range, or null. */
    byte @Nullable [] first(byte[] startInclusive, byte[] endExclusive);
  }

  /**
   * Returns the key of the job's record. If there is a MOVED row, that is the key which it names.
   * If not, it is the key where the job was born, in READY at one of the given priorities. Null if
   * there is neither.
   *
   * @throws CorruptDataException the MOVED row cannot be read
   */
  public static byte @Nullable [] place(Lookup rows, int queue, long birth, int[] priorities) {
    byte[] movedKey = MovedKeys.key(queue, birth);
    byte[] moved = rows.get(movedKey);
    if (moved != null) {
      return MovedRecord.decode(movedKey, moved).key();
    }
    for (int priority : priorities) {
      byte[] key = ReadyKeys.key(queue, priority, birth);
      byte[] value = rows.get(key);
      if (value != null && mayBeOf(key, value, birth)) {
        return key;
      }
    }
    return null;
  }

  /**
   * Tells whether the record is, or may be, of the job of this birth. A record that cannot be read
   * is taken for the job whose place it is at.
   */
  private static boolean mayBeOf(byte[] key, byte[] value, long birth) {
    try {
      return JobRecord.decode(key, value).birth() == birth;
    } catch (CorruptDataException e) {
      return true;
    }
  }

  /** Returns the priorities that the queue has rows of in READY, the highest first. */
  public static int[] priorities(FirstKey rows, int queue) {
    int[] found = new int[PRIORITY_COUNT];
    int count = 0;
    byte[] end = Keyspace.READY.queueEnd(queue);
    byte[] key = rows.first(Keyspace.READY.queueStart(queue), end);
    while (key != null) {
      byte[] from = Bytes.successor(key);
      if (key.length == ReadyKeys.LENGTH_BYTES) {
        found[count++] = ReadyKeys.priority(key);
        from = ReadyKeys.priorityEnd(queue, ReadyKeys.priority(key));
      }
      key = rows.first(from, end);
    }
    return Arrays.copyOf(found, count);
  }
}

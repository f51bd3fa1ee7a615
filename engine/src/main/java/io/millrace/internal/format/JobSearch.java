package io.millrace.internal.format;

import io.millrace.api.CorruptDataException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds a job's record by its birth sequence alone, which is all that a row it owns tells. */
public final class JobSearch {

  private static final int PRIORITY_COUNT = 256;

  private JobSearch() {}

  /** Looks up a row. */
  @FunctionalInterface
  public interface Lookup {
    /** The key's value, or null. */
    byte @Nullable [] get(byte[] key);
  }

  /** Looks for a row. */
  @FunctionalInterface
  public interface FirstKey {
    /** The first key of the range, or null. */
    byte @Nullable [] first(byte[] startInclusive, byte[] endExclusive);
  }

  /**
   * Where the job's record is: where its MOVED row leads, else where it was born, in READY at one
   * of these priorities; null if there is none.
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

  /** A record that cannot be read is of the job whose place it is at. */
  private static boolean mayBeOf(byte[] key, byte[] value, long birth) {
    try {
      return JobRecord.decode(key, value).birth() == birth;
    } catch (CorruptDataException e) {
      return true;
    }
  }

  /** Priorities that the queue has rows of in READY, the highest first. */
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

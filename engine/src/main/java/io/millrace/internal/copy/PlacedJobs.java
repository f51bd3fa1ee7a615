package io.millrace.internal.copy;

import io.millrace.internal.format.Bytes;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.MovedRecord;
import io.millrace.internal.format.ReadyKeys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the new store, found by their birth: a job is where its MOVED row leads, or where it
 * was born. For one thread.
 */
final class PlacedJobs {

  private static final int PRIORITY_COUNT = 256;

  private final SourceRows source;
  private final TargetRows target;
  private long count;
  private int queueOfPriorities = -1;
  private int[] priorities = {};

  PlacedJobs(SourceRows source, TargetRows target) {
    this.source = source;
    this.target = target;
  }

  /** How many there are. */
  long count() {
    return count;
  }

  /** Where the job's record is; null if it is not there. */
  byte @Nullable [] key(int queue, long birth) {
    byte[] movedKey = MovedKeys.key(queue, birth);
    byte[] moved = target.get(movedKey);
    if (moved != null) {
      return MovedRecord.decode(movedKey, moved).key();
    }
    for (int priority : priorities(queue)) {
      byte[] key = ReadyKeys.key(queue, priority, birth);
      byte[] value = target.get(key);
      if (value != null && JobRecord.decode(key, value).birth() == birth) {
        return key;
      }
    }
    return null;
  }

  /** The job's record; null if it is not there. */
  @Nullable JobRecord record(int queue, long birth) {
    byte[] key = key(queue, birth);
    byte[] value = key == null ? null : target.get(key);
    return key == null || value == null ? null : JobRecord.decode(key, value);
  }

  /** Whether the job's record is at the key. */
  boolean isAt(byte[] key, long birth) {
    byte[] value = target.get(key);
    return value != null && JobRecord.decode(key, value).birth() == birth;
  }

  /** Puts a job that is not there yet. */
  void put(int queue, byte[] key, byte[] value, JobRecord job) {
    target.put(key, value);
    name(queue, key, job);
    count++;
  }

  /** Puts a record of a job in place of another record of it. */
  void replace(int queue, byte[] oldKey, byte[] key, byte[] value, JobRecord job) {
    target.delete(oldKey);
    target.put(key, value);
    name(queue, key, job);
  }

  private void name(int queue, byte[] key, JobRecord job) {
    byte[] movedKey = MovedKeys.key(queue, job.birth());
    if (isWhereBorn(queue, key, job)) {
      target.delete(movedKey);
    } else {
      target.put(movedKey, new MovedRecord(key).encode(movedKey));
    }
  }

  static boolean isWhereBorn(int queue, byte[] key, JobRecord job) {
    return job.birthKind() == Keyspace.READY
        && Arrays.equals(
            key,
            new JobAddress(queue, Keyspace.READY, job.birthPriority(), job.birth())
                .birthReadyKey());
  }

  /** Priorities that the origin has ready rows of. */
  private int[] priorities(int queue) {
    if (queue != queueOfPriorities) {
      priorities = findPriorities(queue);
      queueOfPriorities = queue;
    }
    return priorities;
  }

  private int[] findPriorities(int queue) {
    int[] found = new int[PRIORITY_COUNT];
    int count = 0;
    byte[] end = ReadyKeys.queueEnd(queue);
    Row first = source.first(ReadyKeys.queueStart(queue), end);
    while (first != null) {
      byte[] key = first.key();
      byte[] from = Bytes.successor(key);
      if (key.length == ReadyKeys.LENGTH_BYTES) {
        found[count++] = ReadyKeys.priority(key);
        from = ReadyKeys.priorityEnd(queue, ReadyKeys.priority(key));
      }
      first = source.first(from, end);
    }
    return Arrays.copyOf(found, count);
  }
}

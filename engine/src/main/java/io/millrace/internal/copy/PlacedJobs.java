package io.millrace.internal.copy;

import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.JobSearch;
import io.millrace.internal.format.MovedKeys;
import io.millrace.internal.format.OwnedRows;
import io.millrace.internal.format.Row;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the new store, found by their birth: a job is where its MOVED row leads, or where it
 * was born. For one thread.
 */
final class PlacedJobs {

  private final SourceRows source;
  private final TargetRows target;
  private long count;
  private int queueOfPriorities = -1;
  private int[] priorities = {};

  PlacedJobs(SourceRows source, TargetRows target) {
    this.source = source;
    this.target = target;
  }

  /** Returns the number of jobs in the new store. */
  long count() {
    return count;
  }

  /** Returns the key of the job's record; null if the job is not there. */
  byte @Nullable [] key(int queue, long birth) {
    return JobSearch.place(target::get, queue, birth, priorities(queue));
  }

  /** Returns the job's record; null if the job is not there. */
  @Nullable JobRecord record(int queue, long birth) {
    byte[] key = key(queue, birth);
    byte[] value = key == null ? null : target.get(key);
    return key == null || value == null ? null : JobRecord.decode(key, value);
  }

  /** Tells whether the record of the job of this birth is at the key. */
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

  /** Puts a record of a job in place of another record of the same job. */
  void replace(int queue, byte[] oldKey, byte[] key, byte[] value, JobRecord job) {
    target.delete(oldKey);
    target.put(key, value);
    name(queue, key, job);
  }

  private void name(int queue, byte[] key, JobRecord job) {
    Row moved = OwnedRows.moved(key, job);
    if (moved == null) {
      target.delete(MovedKeys.key(queue, job.birth()));
    } else {
      target.put(moved.key(), moved.value());
    }
  }

  /** Returns the priorities of which the origin has ready rows. */
  private int[] priorities(int queue) {
    if (queue != queueOfPriorities) {
      priorities = JobSearch.priorities(source::first, queue);
      queueOfPriorities = queue;
    }
    return priorities;
  }
}

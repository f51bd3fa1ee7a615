package io.millrace.internal.transition;

import io.millrace.api.JobState;
import io.millrace.api.Limits;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.QueueState;

/** How a job that nobody works on leaves the store, whatever its state. */
final class Removal {

  /** The record, MOVED, BLOB, TIMER, and the history. */
  static final int OPERATIONS_PER_JOB = 4 + Limits.HISTORY_COUNT_MAX;

  private Removal() {}

  /** Removes the job whose record is at the key, and every row of it; counts it in no total. */
  static void remove(Change change, QueueState queue, byte[] key, JobRecord job) {
    boolean hasMoved =
        Keyspace.ofKey(key) != Keyspace.READY
            || job.birthKind() != Keyspace.READY
            || job.birth() != ReadyKeys.sequence(key);
    switch (Keyspace.ofKey(key)) {
      case READY, DELAYED, BLOCKED -> Moves.leaveWaiting(change, queue, key, job.birth());
      case DEAD -> leave(change, queue, key, JobState.DEAD);
      case DONE -> leave(change, queue, key, JobState.DONE);
      default ->
          throw new IllegalStateException(
              "job is in an unexpected keyspace: " + Keyspace.ofKey(key));
    }
    JobTimers.delete(change, queue.number(), key, job);
    Moves.forget(change, queue.number(), job, hasMoved);
    change.state().markChanged(queue);
  }

  private static void leave(Change change, QueueState queue, byte[] key, JobState state) {
    queue.add(state, -1);
    change.delete(key);
  }
}

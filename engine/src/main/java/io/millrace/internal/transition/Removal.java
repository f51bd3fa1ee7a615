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
    boolean hasMoved = true;
    switch (Keyspace.ofKey(key)) {
      case READY -> {
        long sequence = ReadyKeys.sequence(key);
        hasMoved = job.birthKind() != Keyspace.READY || job.birth() != sequence;
        queue.window(job.priority(), change.state().nextSequence()).removeSequence(sequence);
        queue.add(JobState.READY, -1);
      }
      case DELAYED -> Moves.leaveDelayed(change, queue);
      case DEAD -> queue.add(JobState.DEAD, -1);
      case DONE -> queue.add(JobState.DONE, -1);
      default ->
          throw new IllegalStateException(
              "job is in an unexpected keyspace: " + Keyspace.ofKey(key));
    }
    change.delete(key);
    JobTimers.delete(change, queue.number(), key, job);
    Moves.forget(change, queue.number(), job, hasMoved);
    change.state().markChanged(queue);
  }
}

package io.millrace.internal.transition;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;

/** A job that nobody works on is removed. */
public final class Cancel extends JobTransition<CancelResult> {

  public Cancel(JobId id) {
    super(id);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  CancelResult gone() {
    return CancelResult.GONE;
  }

  @Override
  CancelResult leased(Change change, LeaseEntry lease) {
    return CancelResult.RUNNING;
  }

  @Override
  CancelResult unleased(Change change, QueueState queue, byte[] key, JobRecord job) {
    if (Keyspace.ofKey(key) == Keyspace.DONE) {
      return CancelResult.RUNNING;
    }
    remove(change, queue, key, job);
    queue.countTotal(Total.CANCELLED);
    return CancelResult.OK;
  }

  /** Removes an unleased job and every row of it. */
  static void remove(Change change, QueueState queue, byte[] key, JobRecord job) {
    boolean hasMoved = true;
    if (isWaiting(key)) {
      hasMoved = hasMoved(key, job);
      Moves.leaveWaiting(change, queue, key, job.birth());
    } else if (Keyspace.ofKey(key) == Keyspace.DEAD) {
      queue.add(JobState.DEAD, -1);
      change.delete(key);
    } else {
      throw new IllegalStateException("job is in an unexpected keyspace: " + Keyspace.ofKey(key));
    }
    Moves.forget(change, queue.number(), job, hasMoved);
    change.state().markChanged(queue);
  }

  private static boolean hasMoved(byte[] key, JobRecord job) {
    return Keyspace.ofKey(key) != Keyspace.READY
        || job.birthKind() != Keyspace.READY
        || job.birth() != ReadyKeys.sequence(key);
  }
}

package io.millrace.internal.transition;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
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
      return CancelResult.GONE;
    }
    Moves.end(change, queue, key, job);
    queue.countTotal(Total.CANCELLED);
    return CancelResult.OK;
  }
}

package io.millrace.internal.transition;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import org.jspecify.annotations.Nullable;

/** A job that nobody works on is removed. */
public final class Cancel implements Transition<CancelResult> {

  private final @Nullable JobPlace place;

  public Cancel(JobId id) {
    this.place = JobPlace.of(id);
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return Removal.OPERATIONS_PER_JOB + 1;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    if (place != null) {
      place.declare(reads);
    }
  }

  @Override
  public CancelResult apply(Change change) {
    // The queue first: when it is read into memory, jobs that are due move.
    QueueState queue = place == null ? null : change.queue(place.queue());
    byte[] key = place == null ? null : place.find(change);
    if (place == null || queue == null || key == null) {
      return CancelResult.GONE;
    }
    if (change.state().leases().isLeased(place.birth())) {
      return CancelResult.RUNNING;
    }
    if (Keyspace.ofKey(key) == Keyspace.DONE) {
      return CancelResult.GONE;
    }
    JobRecord job = Records.decode(change, key, change.get(key));
    Removal.remove(change, queue, key, job);
    queue.countTotal(Total.CANCELLED);
    return CancelResult.OK;
  }
}

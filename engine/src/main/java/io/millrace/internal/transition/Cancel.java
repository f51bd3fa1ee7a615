package io.millrace.internal.transition;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.format.ReadyKeys;
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
    return 5;
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
    Keyspace keyspace = Keyspace.ofKey(key);
    if (change.state().leases().isLeased(place.birth()) || keyspace == Keyspace.DONE) {
      return CancelResult.RUNNING;
    }
    JobRecord job = Records.decode(change, key, change.get(key));
    remove(change, queue, key, job);
    queue.countTotal(Total.CANCELLED);
    return CancelResult.OK;
  }

  /** Removes an unleased job and every row of it. */
  static void remove(Change change, QueueState queue, byte[] key, JobRecord job) {
    Keyspace keyspace = Keyspace.ofKey(key);
    boolean hasMoved = true;
    switch (keyspace) {
      case READY -> {
        long sequence = ReadyKeys.sequence(key);
        hasMoved = job.birthKind() != Keyspace.READY || job.birth() != sequence;
        queue.window(job.priority(), change.state().nextSequence()).removeSequence(sequence);
        queue.add(JobState.READY, -1);
      }
      case DELAYED -> Moves.leaveDelayed(change, queue);
      case DEAD -> queue.add(JobState.DEAD, -1);
      default -> throw new IllegalStateException("job is in an unexpected keyspace: " + keyspace);
    }
    change.delete(key);
    Moves.forget(change, queue.number(), job, hasMoved);
    change.state().markChanged(queue);
  }
}

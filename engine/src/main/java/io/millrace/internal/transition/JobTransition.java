package io.millrace.internal.transition;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import org.jspecify.annotations.Nullable;

/**
 * What is done to one job that is named by its id, whatever its state.
 *
 * @param <R> how it ended
 */
abstract class JobTransition<R> implements Transition<R> {

  /** A job that goes; one that moves takes fewer: two places, MOVED, two BLOB rows, TIMER. */
  private static final int OPERATIONS = Moves.END_OPERATIONS;

  /** COUNTERS, and AGENDA twice. */
  private static final int OPERATIONS_OF_QUEUE = 3;

  private final JobId id;
  private final @Nullable JobPlace place;

  JobTransition(JobId id) {
    this.id = id;
    this.place = JobPlace.of(id);
  }

  @Override
  public int operationCountMax() {
    return OPERATIONS + OPERATIONS_OF_QUEUE;
  }

  @Override
  public long bytesMax() {
    return RowBytes.MOVE + RowBytes.ERROR + RowBytes.removal();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    if (place != null) {
      place.declare(reads);
    }
  }

  @Override
  public R apply(Change change) {
    if (place == null) {
      return gone();
    }
    LeaseEntry lease = change.state().leases().get(place.birth());
    if (lease != null) {
      return leased(change, lease);
    }
    // Loading a queue moves what is due, so the job's place is asked for after it.
    QueueState queue = change.queue(place.queue());
    byte[] key = queue == null ? null : place.find(change);
    if (queue == null || key == null) {
      return gone();
    }
    JobRecord job = Records.decode(change, key, change.get(key));
    boolean isIt = job.jobId(queue.number()).equals(id);
    return isIt ? unleased(change, queue, key, job) : gone();
  }

  abstract R gone();

  /** What happens with a job that somebody works on. */
  abstract R leased(Change change, LeaseEntry lease);

  /**
   * What happens with a job that nobody works on, in any other state; reads before it changes
   * anything.
   *
   * @throws CorruptDataException something that belongs to the job cannot be read
   */
  abstract R unleased(Change change, QueueState queue, byte[] key, JobRecord job);

  /** Whether the job waits to be worked on, so that it can be made to wait differently. */
  static boolean isWaiting(byte[] key) {
    Keyspace keyspace = Keyspace.ofKey(key);
    return keyspace == Keyspace.READY
        || keyspace == Keyspace.DELAYED
        || keyspace == Keyspace.BLOCKED;
  }
}

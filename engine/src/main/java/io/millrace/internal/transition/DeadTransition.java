package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with dead jobs, one or many in a call.
 *
 * @param <R> how it ended for each
 */
abstract class DeadTransition<R> implements Transition<List<R>> {

  private static final int OPERATIONS_PER_JOB = Moves.END_OPERATIONS;
  private static final int ROW_BYTES = 400;

  private final List<@Nullable JobPlace> places = new ArrayList<>();

  DeadTransition(List<JobId> ids) {
    for (JobId id : ids) {
      places.add(JobPlace.of(id));
    }
  }

  private record Found(QueueState queue, byte[] key, JobRecord job) {}

  @Override
  public int operationCountMax() {
    return (OPERATIONS_PER_JOB + Change.ROWS_PER_QUEUE) * places.size();
  }

  @Override
  public long bytesMax() {
    return (RowBytes.MOVE + RowBytes.ERROR + RowBytes.COUNTERS + (long) RowBytes.removal())
        * places.size();
  }

  @Override
  public long bytes() {
    return (long) ROW_BYTES * places.size();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (JobPlace place : places) {
      if (place != null) {
        place.declare(reads);
      }
    }
  }

  @Override
  public List<R> apply(Change change) {
    for (JobPlace place : places) {
      dead(change, place);
    }
    List<R> results = new ArrayList<>(places.size());
    for (JobPlace place : places) {
      Found found = dead(change, place);
      if (found != null) {
        results.add(dead(change, found.queue(), found.key(), found.job()));
      } else {
        results.add(place == null || place.find(change) == null ? gone() : notDead());
      }
    }
    return results;
  }

  /** The job if it is dead; reads all that can fail. */
  private static @Nullable Found dead(Change change, @Nullable JobPlace place) {
    byte[] key = place == null ? null : place.find(change);
    if (place == null || key == null || Keyspace.ofKey(key) != Keyspace.DEAD) {
      return null;
    }
    QueueState queue = change.queue(place.queue());
    return queue == null
        ? null
        : new Found(queue, key, Records.decode(change, key, change.get(key)));
  }

  abstract R notDead();

  abstract R gone();

  /** What happens with a dead job; nothing here can fail. */
  abstract R dead(Change change, QueueState queue, byte[] key, JobRecord job);
}

package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation that operators ask for on dead jobs, one or many in a call.
 *
 * @param <R> the type of the answer for each job
 */
abstract class DeadOperation<R> implements Operation<List<R>> {

  private static final int ROW_BYTES = 400;

  private final List<@Nullable JobPlace> places = new ArrayList<>();

  DeadOperation(List<JobId> ids) {
    for (JobId id : ids) {
      places.add(JobPlace.of(id));
    }
  }

  @Override
  public Cost cost() {
    return Cost.MOVE_OR_END.plus(Cost.COUNTS).plus(Cost.SLOT).plus(Cost.TURN).times(places.size());
  }

  @Override
  public long bytes() {
    return (long) ROW_BYTES * places.size();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (JobPlace place : places) {
      if (place != null) {
        place.declare(state, reads, (key, value) -> declareMore(place.queue(), key, value, reads));
      }
    }
  }

  /** Wants further rows that the record of a job names and that are looked at. */
  void declareMore(int queue, byte[] key, byte[] value, RowReads reads) {}

  @Override
  public Plan<List<R>> check(OpenBatch batch) {
    return Plan.inOrder(batch, places, place -> check(batch, place));
  }

  private Plan<R> check(OpenBatch batch, @Nullable JobPlace place) {
    FoundJob found = place == null ? null : FoundJob.at(place, batch);
    if (found == null) {
      return Plan.answer(gone());
    }
    return found.state() == JobState.DEAD
        ? dead(batch, found, found.record(batch))
        : Plan.answer(notDead());
  }

  abstract R notDead();

  abstract R gone();

  /** Judges the operation on a dead job. */
  abstract Plan<R> dead(OpenBatch batch, FoundJob found, JobRecord job);
}

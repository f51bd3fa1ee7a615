package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one job that is named by its id, whatever its state.
 *
 * @param <R> the type of the answer
 */
abstract class JobOperation<R> implements Operation<R> {

  private final JobId id;
  private final @Nullable JobPlace place;

  JobOperation(JobId id) {
    this.id = id;
    this.place = JobPlace.of(id);
  }

  @Override
  public Cost cost() {
    return Cost.MOVE_OR_END
        .plus(Cost.COUNTS)
        .plus(Cost.SLOT)
        .plus(Cost.TURN.times(2))
        .plus(Cost.ENGINE_HAND_ON);
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    if (place != null) {
      place.declare(state, reads);
      LeaseEntry lease = state.leases().get(place.birth());
      if (lease != null) {
        declareLeased(state, reads, lease);
      }
    }
  }

  /** Wants further rows that are looked at for a leased job. */
  void declareLeased(WorkingSet state, RowReads reads, LeaseEntry lease) {}

  @Override
  public Plan<R> check(OpenBatch batch) {
    if (place == null) {
      return Plan.answer(gone());
    }
    LeaseEntry lease = batch.planned().leaseOn(place.birth(), batch.state().leases());
    if (lease != null) {
      return leased(batch, lease);
    }
    FoundJob found = FoundJob.at(place, batch);
    if (found == null) {
      return Plan.answer(gone());
    }
    JobRecord job = found.record(batch);
    boolean isIt = job.jobId(found.queueNumber()).equals(id);
    return isIt ? unleased(batch, found, job) : Plan.answer(gone());
  }

  abstract R gone();

  /** Judges the operation on a leased job. */
  abstract Plan<R> leased(OpenBatch batch, LeaseEntry lease);

  /**
   * Judges the operation on a job that is not leased, in any other state.
   *
   * @throws CorruptDataException a row that belongs to the job cannot be read
   */
  abstract Plan<R> unleased(OpenBatch batch, FoundJob found, JobRecord job);
}

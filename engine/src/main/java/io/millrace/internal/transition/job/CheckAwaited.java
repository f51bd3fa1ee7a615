package io.millrace.internal.transition.job;

import io.millrace.api.CorruptDataException;
import io.millrace.api.JobEnd;
import io.millrace.api.OutcomeUnknownException;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import io.millrace.internal.transition.move.Tallies;
import java.util.List;

/**
 * A step of the look at awaited jobs and tallies in a store that was opened again: the wait for one
 * that goes on continues, and other waits are answered with what can be known. The answer is how
 * many jobs were looked at.
 */
public final class CheckAwaited implements Transition<Integer> {

  /** The most jobs of one step. */
  private static final int STEP = 1_000;

  private final List<JobAddress> jobs;

  /** Creates a step that looks at the first of these. */
  public CheckAwaited(List<JobAddress> jobs) {
    this.jobs = jobs.subList(0, Math.min(STEP, jobs.size()));
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (JobAddress job : jobs) {
      if (TallyKeys.isAddress(job)) {
        Tallies.declare(state, reads, job.birth());
      } else {
        new JobPlace(job).declare(state, reads);
      }
    }
  }

  @Override
  public Integer apply(OpenBatch batch) {
    AwaitedEnds awaited = batch.state().totals().lives().awaited();
    for (JobAddress job : jobs) {
      if (TallyKeys.isAddress(job)) {
        lookAtTally(batch, awaited, job);
      } else if (!batch.state().leases().isLeased(job.birth())) {
        look(batch, awaited, job);
      }
    }
    return jobs.size();
  }

  private static void look(OpenBatch batch, AwaitedEnds awaited, JobAddress job) {
    try {
      FoundJob found = FoundJob.at(new JobPlace(job), batch);
      if (found == null) {
        awaited.lost(job, unknown(job));
        return;
      }
      JobRecord record = found.record(batch);
      JobEnd<byte[]> end = AwaitEnd.end(found, record);
      if (end != null) {
        awaited.found(job, end);
      }
    } catch (CorruptDataException e) {
      awaited.lost(job, e);
    }
  }

  private static void lookAtTally(OpenBatch batch, AwaitedEnds awaited, JobAddress tally) {
    try {
      JobEnd<byte[]> end = Tallies.ended(batch, tally.birth());
      if (end != null) {
        awaited.found(tally, end);
      }
    } catch (CorruptDataException e) {
      awaited.lost(tally, e);
    }
  }

  private static OutcomeUnknownException unknown(JobAddress job) {
    return new OutcomeUnknownException(
        "outcome is unknown: the store was opened again and no longer has the job, which may have"
            + " ended or never have been stored: job="
            + job.toJobId());
  }
}

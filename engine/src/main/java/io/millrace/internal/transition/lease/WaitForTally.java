package io.millrace.internal.transition.lease;

import io.millrace.api.BatchId;
import io.millrace.api.NoSuchBatchException;
import io.millrace.api.WaitResult;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.RowBytes;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyRecord;
import io.millrace.internal.format.TallyRecord.Condition;
import io.millrace.internal.format.TallyRecord.Waiter;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Tallies;
import io.millrace.internal.transition.move.Waits;
import java.util.List;

/**
 * The wait of a leased job until a tally is over; the attempt does not count. If it is over
 * already, the job is ready at once.
 */
public final class WaitForTally extends Wait {

  private final long tally;

  /** Creates a wait. */
  public WaitForTally(NamedLease lease, long tally) {
    super(lease, 4L * (1 + Long.BYTES) + RowBytes.TIMER);
    this.tally = tally;
  }

  @Override
  public Cost cost() {
    return super.cost().plus(Cost.TALLY);
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    super.declare(state, reads);
    Tallies.declare(state, reads, tally);
  }

  @Override
  Plan<WaitResult> held(OpenBatch batch, QueueState queue, LeaseEntry lease, NamedLease named) {
    JobRecord job = named.record(batch, lease).toBuilder().set(JobField.EXPIRE_AT_MS, 0).build();
    refuseOwn(batch, lease.tally());
    TallyRecord record = Tallies.record(batch, tally);
    if (record == null && !batch.planned().isOpened(tally)) {
      throw new NoSuchBatchException(new BatchId(tally));
    }
    if (record == null || record.overSinceMs() == 0 || batch.planned().goesOn(tally)) {
      List<Waiter> stale = Tallies.roomToWait(batch, tally);
      Destination waiting = Destination.waitingFor(tally, Condition.ENDED);
      return new Waiting(tally, stale, end(queue, lease, job, waiting, WaitResult.WAITING));
    }
    JobRecord told =
        job.toBuilder()
            .set(JobField.SIGNAL, TallyKeys.signal(tally))
            .set(JobField.SIGNAL_PAYLOAD, null)
            .build();
    return end(queue, lease, Waits.tallied(told), Destination.READY, WaitResult.BATCH_OVER);
  }

  /** Refuses a job that would wait for a tally which counts it, or one around that. */
  private void refuseOwn(OpenBatch batch, long own) {
    long at = own;
    while (at != 0 && at != tally) {
      TallyRecord record = Tallies.record(batch, at);
      at = record == null ? 0 : record.outer();
    }
    if (at != 0) {
      throw new IllegalArgumentException(
          "job would wait for its own batch, which is not over before the job has ended: batch="
              + new BatchId(tally));
    }
  }

  /** The plan that the job waits. */
  private record Waiting(long tally, List<Waiter> stale, LeaseEnd<WaitResult> end)
      implements Plan<WaitResult> {

    @Override
    public WaitResult carryOut(OpenBatch batch) {
      LeaseEntry lease = end.lease();
      Waiter waiter = new Waiter(lease.queue(), lease.birth(), Condition.ENDED);
      Tallies.await(batch, tally, waiter, stale);
      return end.carryOut(batch);
    }

    @Override
    public void foretell(OpenBatch batch) {
      end.foretell(batch);
      batch.planned().waitFor(tally);
    }
  }
}

package io.millrace.internal.transition.job;

import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.internal.format.JobAddress;
import io.millrace.internal.state.AwaitedEnds;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.JobWait;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.RowReads;
import java.util.List;

/**
 * The joining of a new job to its queue, with which the wait for the job's end begins. If the queue
 * did not take the job, or had it before, there is no wait.
 */
public final class Submit implements Operation<Submit.Joined> {

  private final Enqueue enqueue;
  private final JobWait end;

  /**
   * The outcome.
   *
   * @param result the queue's answer
   * @param isAwaited whether the wait has begun
   */
  public record Joined(EnqueueResult result, boolean isAwaited) {}

  /** Creates the submission of the one new job of the enqueue. */
  public Submit(Enqueue enqueue, JobWait end) {
    this.enqueue = enqueue;
    this.end = end;
  }

  @Override
  public Growth growth() {
    return enqueue.growth();
  }

  @Override
  public Cost cost() {
    return enqueue.cost();
  }

  @Override
  public long bytes() {
    return enqueue.bytes();
  }

  @Override
  public boolean needsLeaseRows() {
    return enqueue.needsLeaseRows();
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    enqueue.declare(state, reads);
  }

  @Override
  public Plan<Joined> check(OpenBatch batch) {
    batch.state().totals().lives().awaited().requireRoom();
    return new Joining(enqueue.check(batch), end);
  }

  /** The plan that a job joins, and is waited for if it is a new one. */
  private record Joining(Plan<List<EnqueueResult>> joining, JobWait end) implements Plan<Joined> {

    @Override
    public Joined carryOut(OpenBatch batch) {
      long firstBirth = batch.state().nextSequence();
      EnqueueResult result = joining.carryOut(batch).get(0);
      return new Joined(
          result,
          result instanceof Enqueued enqueued && isBegun(batch, enqueued.jobId(), firstBirth));
    }

    private boolean isBegun(OpenBatch batch, JobId id, long firstBirth) {
      JobAddress job = JobAddress.of(id).orElseThrow();
      boolean isNew = job.birth() >= firstBirth;
      if (isNew) {
        AwaitedEnds awaited = batch.state().totals().lives().awaited();
        awaited.begin(end, job);
      }
      return isNew;
    }

    @Override
    public void foretell(OpenBatch batch) {
      joining.foretell(batch);
    }

    @Override
    public boolean hangsOnBatch() {
      return joining.hangsOnBatch();
    }
  }
}

package io.millrace.internal.transition.transact;

import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Operation;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.job.Enqueue;
import io.millrace.internal.transition.job.Redrive;
import io.millrace.internal.transition.lease.NamedLease;
import io.millrace.internal.transition.tally.OpenTally;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An operation of a transaction, and what must hold for any of the transaction to happen. */
public sealed interface TransactionPart {

  /** Returns the operation that is to be carried out. */
  Operation<?> operation();

  /**
   * Judges the part.
   *
   * @param place its place among the parts
   */
  Judged judge(OpenBatch batch, int place);

  /** Tells whether judging the part puts rows of leases that were granted before. */
  default boolean putsLeaseRows(OpenBatch batch) {
    return false;
  }

  /**
   * The judgement of a part.
   *
   * @param plan what the part is going to do, or would do if nothing but held keys were in the way
   * @param obstacle why the whole transaction must not happen; null if it may
   */
  record Judged(Plan<?> plan, @Nullable Verdict obstacle) {

    static Judged of(Plan<?> plan) {
      return new Judged(plan, null);
    }

    static Judged not(Verdict obstacle) {
      return new Judged(Plan.answer(obstacle), obstacle);
    }
  }

  /**
   * An operation that the holder of a lease asks for on its job.
   *
   * @param lease the lease that the operation concerns
   */
  record OnLease(JobId job, NamedLease lease, Operation<?> operation) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      return lease.isCurrent(batch)
          ? Judged.of(operation.check(batch))
          : Judged.not(new Verdict.StaleLease(job));
    }
  }

  /** An operation on a job that is named by its id: whatever its answer, the other parts happen. */
  record OnJob(Operation<?> operation) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      return Judged.of(operation.check(batch));
    }

    @Override
    public boolean putsLeaseRows(OpenBatch batch) {
      return operation instanceof Redrive;
    }
  }

  /**
   * New jobs of one queue, of which all join or none. What a job holds that has the unique key of a
   * new one stays as it is.
   *
   * @param operation enqueues them
   */
  record NewJobs(Enqueue operation) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      Enqueue.Joining plan = operation.check(batch);
      EnqueueResult.Refused refused = plan.refused();
      return refused == null ? Judged.of(plan) : Judged.not(new Verdict.Refused(refused));
    }

    @Override
    public boolean putsLeaseRows(OpenBatch batch) {
      return operation.putsLeaseRows(batch);
    }
  }

  /**
   * A new tally.
   *
   * @param operation begins it, with a number that was told
   */
  record NewTally(OpenTally operation) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      return operation.isNumberValid(batch)
          ? Judged.of(operation.check(batch))
          : Judged.not(new Verdict.IdsOutdated());
    }
  }

  /** An operation on a row of a user's table. */
  record OnRow(Operation<?> operation) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      return Judged.of(operation.check(batch));
    }
  }

  /**
   * A new job.
   *
   * @param operation enqueues it, with an id that was told
   * @param holder the job of which the caller was told that it holds the unique key, so that there
   *     is no new one; null if it was told of none
   */
  record NewJob(Enqueue operation, @Nullable JobId holder) implements TransactionPart {

    @Override
    public Judged judge(OpenBatch batch, int place) {
      if (!operation.isIdValid(batch)) {
        return Judged.not(new Verdict.IdsOutdated());
      }
      Enqueue.Joining plan = operation.check(batch);
      EnqueueResult refusal = plan.notJoining();
      if (refusal instanceof EnqueueResult.Refused refused) {
        return Judged.not(new Verdict.Refused(refused));
      }
      JobId found = refusal instanceof Enqueued other ? other.jobId() : null;
      return Objects.equals(found, holder)
          ? Judged.of(plan)
          : new Judged(plan, Verdict.KeysHeld.of(place, found));
    }

    @Override
    public boolean putsLeaseRows(OpenBatch batch) {
      return operation.putsLeaseRows(batch);
    }
  }

  /** Returns the only answer of an operation that answers a list. */
  static Object only(Object answer) {
    return answer instanceof List<?> list ? list.get(0) : answer;
  }
}

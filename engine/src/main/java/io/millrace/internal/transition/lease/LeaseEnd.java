package io.millrace.internal.transition.lease;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.TallyResult;
import io.millrace.internal.state.AttemptEnd;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import org.jspecify.annotations.Nullable;

/**
 * The plan that a lease ends, and its job goes to another state, or is no more.
 *
 * @param next where the job goes; null if it is no more
 * @param total the total in which the end is counted
 */
record LeaseEnd<R>(QueueState queue, LeaseEntry lease, @Nullable Next next, Total total, R answer)
    implements Plan<R> {

  /**
   * The state to which a job goes.
   *
   * @param job its record from now on, but for the entries that the new state makes
   */
  record Next(JobRecord job, Destination to) {}

  /**
   * The plan that a job is completed with a result. Most are completed without, and take no room
   * for one.
   *
   * @param end the plan but for the result
   * @param ofTally the result as the job's tally keeps it; null if none does
   */
  record WithResult<R>(LeaseEnd<R> end, byte[] result, @Nullable TallyResult ofTally)
      implements Plan<R> {

    @Override
    public R carryOut(OpenBatch batch) {
      if (ofTally != null) {
        byte[] key = TallyKeys.resultKey(end.lease().tally(), end.lease().birth());
        batch.put(key, ofTally.encode(key));
      }
      return end.carryOut(batch, result);
    }

    @Override
    public void foretell(OpenBatch batch) {
      end.foretell(batch);
    }
  }

  @Override
  public R carryOut(OpenBatch batch) {
    return carryOut(batch, null);
  }

  private R carryOut(OpenBatch batch, byte @Nullable [] result) {
    if (next == null) {
      Moves.end(batch, queue, lease, total, AttemptEnd.of(null, null, result));
    } else {
      JobState state = Moves.move(batch, queue, lease, next.job(), next.to());
      boolean hasFailed = total == Total.RETRIED || total == Total.DIED;
      String error = hasFailed ? next.job().lastError() : null;
      queue.countEnd(total, lease, AttemptEnd.of(state, error, result), batch.nowMs());
    }
    return answer;
  }

  @Override
  public void foretell(OpenBatch batch) {
    Planned.After after =
        next == null
            ? Planned.After.GONE
            : Moves.after(batch, queue, JobState.LEASED, next.job(), next.to());
    batch.planned().put(queue, lease.birth(), JobState.LEASED, after);
  }
}

package io.millrace.internal.transition.job;

import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The plan that a job which is not leased goes to another state, or is no more.
 *
 * @param found the job
 * @param job its record from now on, but for the entries that the new state makes
 * @param to where it goes; null if it is no more
 * @param total the total in which the move is counted; null for none, which an end always has
 */
record JobMove<R>(
    FoundJob found, JobRecord job, @Nullable Destination to, @Nullable Total total, R answer)
    implements Plan<R> {

  @Override
  public R carryOut(OpenBatch batch) {
    byte[] key = found.key(batch);
    if (to == null) {
      Moves.end(batch, found.queue(), key, job, Objects.requireNonNull(total, "total of an end"));
    } else {
      JobState next = Moves.move(batch, found.queue(), key, job, to);
      if (total != null) {
        found.queue().countMoved(total, job, next);
      }
    }
    return answer;
  }

  @Override
  public void foretell(OpenBatch batch) {
    found.foretell(
        batch,
        to == null
            ? Planned.After.GONE
            : Moves.after(batch, found.queue(), found.state(), job, to));
  }
}

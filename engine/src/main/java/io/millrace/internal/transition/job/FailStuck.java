package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.JobState;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.StuckResult;
import io.millrace.internal.format.JobField;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.TallyKeys;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.Planned;
import io.millrace.internal.transition.move.Attempts;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Moves;
import io.millrace.internal.transition.move.Slots;
import io.millrace.internal.transition.move.Waits;
import java.util.Objects;

/** The failure of a job that waits for a signal which will not come: it becomes a dead letter. */
public final class FailStuck extends JobOperation<StuckResult> {

  private final String error;

  /**
   * Creates the failure.
   *
   * @param error its text is cut to what is kept
   */
  public FailStuck(JobId id, String error) {
    super(id);
    this.error = Attempts.cut(error);
  }

  /** Returns false: a waiting job is leased to nobody. */
  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  StuckResult gone() {
    return StuckResult.GONE;
  }

  @Override
  Plan<StuckResult> leased(OpenBatch batch, LeaseEntry lease) {
    return Plan.answer(StuckResult.NOT_WAITING);
  }

  @Override
  Plan<StuckResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    if (found.state() != JobState.WAITING) {
      return Plan.answer(found.isGone() ? StuckResult.GONE : StuckResult.NOT_WAITING);
    }
    byte[] signal = Objects.requireNonNull(job.signal(), "signal");
    if (TallyKeys.isSignal(signal)) {
      return Plan.answer(StuckResult.NOT_WAITING);
    }
    byte[] key = WaitingKeys.key(found.queue().number(), signal, job.birth());
    JobRecord broadcast = Waits.broadcast(batch, found.queue(), key, job);
    if (broadcast == null) {
      return new Dying(found, job.toBuilder().set(JobField.LAST_ERROR, error).build(), error);
    }
    Slots.know(batch, found.queue(), Slots.ofJob(found.queue(), job));
    return new JobMove<>(found, broadcast, Destination.READY, Total.WOKEN, StuckResult.NOT_WAITING);
  }

  /** The plan that a waiting job dies. */
  private record Dying(FoundJob found, JobRecord job, String error) implements Plan<StuckResult> {

    @Override
    public StuckResult carryOut(OpenBatch batch) {
      QueueState queue = found.queue();
      Moves.move(batch, queue, found.key(batch), job, Destination.DEAD);
      queue.countDied(job, error);
      return StuckResult.FAILED;
    }

    @Override
    public void foretell(OpenBatch batch) {
      Planned.After dead = Destination.DEAD.after(batch, found.queue(), job);
      found.foretell(batch, dead);
    }
  }
}

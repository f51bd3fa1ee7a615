package io.millrace.internal.transition;

import io.millrace.api.JobId;
import io.millrace.api.RescheduleResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.Keyspace;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueState;
import java.time.Instant;

/** A job that waits is to wait until another time, or no longer. */
public final class Reschedule extends JobTransition<RescheduleResult> {

  private final long visibleAtMs;

  public Reschedule(JobId id, Instant visibleAt) {
    super(id);
    this.visibleAtMs = visibleAt.toEpochMilli();
  }

  @Override
  public Growth growth() {
    return Growth.GROWS;
  }

  @Override
  RescheduleResult gone() {
    return RescheduleResult.GONE;
  }

  @Override
  RescheduleResult leased(Change change, LeaseEntry lease) {
    return RescheduleResult.RUNNING;
  }

  @Override
  RescheduleResult unleased(Change change, QueueState queue, byte[] key, JobRecord job) {
    if (!isWaiting(key)) {
      boolean isDead = Keyspace.ofKey(key) == Keyspace.DEAD;
      return isDead ? RescheduleResult.DEAD : RescheduleResult.GONE;
    }
    Moves.move(change, queue, key, job, To.visibleAt(visibleAtMs, 0));
    return RescheduleResult.OK;
  }
}

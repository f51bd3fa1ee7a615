package io.millrace.internal.transition.job;

import io.millrace.api.JobId;
import io.millrace.api.QueueStats.Total;
import io.millrace.api.RescheduleResult;
import io.millrace.internal.format.JobRecord;
import io.millrace.internal.format.WaitingKeys;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Plan;
import io.millrace.internal.transition.move.Destination;
import io.millrace.internal.transition.move.Waits;
import java.time.Instant;
import java.util.Objects;

/**
 * Another time until which a ready, delayed or blocked job is to wait; one that has passed makes it
 * wait no longer.
 */
public final class Reschedule extends JobOperation<RescheduleResult> {

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
  Plan<RescheduleResult> leased(OpenBatch batch, LeaseEntry lease) {
    return Plan.answer(RescheduleResult.RUNNING);
  }

  @Override
  Plan<RescheduleResult> unleased(OpenBatch batch, FoundJob found, JobRecord job) {
    return switch (found.state()) {
      case READY, DELAYED, BLOCKED ->
          new JobMove<>(
              found,
              job,
              Destination.visibleAt(batch, visibleAtMs, 0),
              null,
              RescheduleResult.RESCHEDULED);
      case DEAD -> Plan.answer(RescheduleResult.DEAD);
      case WAITING -> waiting(batch, found, job);
      case LEASED, DONE -> Plan.answer(RescheduleResult.GONE);
    };
  }

  /**
   * Judges a job that waits for a signal: if a broadcast has come for it, it is as good as ready.
   */
  private Plan<RescheduleResult> waiting(OpenBatch batch, FoundJob found, JobRecord job) {
    byte[] signal = Objects.requireNonNull(job.signal(), "signal");
    byte[] key = WaitingKeys.key(found.queue().number(), signal, job.birth());
    JobRecord woken = Waits.broadcast(batch, found.queue(), key, job);
    Destination later = Destination.visibleAt(batch, visibleAtMs, 0);
    return woken == null
        ? Plan.answer(RescheduleResult.WAITING)
        : new JobMove<>(found, woken, later, Total.WOKEN, RescheduleResult.RESCHEDULED);
  }
}

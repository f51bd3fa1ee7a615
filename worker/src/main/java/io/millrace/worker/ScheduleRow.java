package io.millrace.worker;

import io.millrace.api.JobId;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the table of schedules holds of one: the plan, and how far it is carried out. Immutable.
 *
 * <p>Invariant: a row that is not paused names its next instant and the tick job that waits for it;
 * a paused one neither. The next instant is after the last.
 *
 * @param owner who declared it; empty if nobody did
 * @param next the instant that is waited for
 * @param tick the job that waits for it
 * @param last the newest instant that had its turn, whether a job was made or not
 * @param lastJob the job that was made last for an instant
 * @param extraJob the job that was made last on demand
 */
record ScheduleRow(
    SchedulePlan plan,
    Optional<String> owner,
    Optional<Long> next,
    Optional<JobId> tick,
    Optional<Long> last,
    Optional<JobId> lastJob,
    Optional<JobId> extraJob) {

  /** One that has done nothing yet, and does not run. */
  static ScheduleRow of(SchedulePlan plan) {
    return new ScheduleRow(
        plan,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  boolean isPaused() {
    return tick.isEmpty();
  }

  /** The first instant that had no turn and is still to come. */
  long nextAfter(long nowMs) {
    return plan.times().nextMs(Math.max(nowMs, last.orElse(nowMs)));
  }

  /** Whether it has these times, whenever they began. */
  boolean isAt(Recurrence times) {
    return plan.times().beginningAt(0).equals(times.beginningAt(0));
  }

  /** Whether nothing would change if this were stored in place of the other. */
  boolean isSameAs(ScheduleRow other) {
    ScheduleCodec codec = new ScheduleCodec();
    return Arrays.equals(codec.encode(this), codec.encode(other));
  }

  ScheduleRow withPlan(SchedulePlan value) {
    return new ScheduleRow(value, owner, next, tick, last, lastJob, extraJob);
  }

  ScheduleRow ownedBy(String value) {
    return new ScheduleRow(plan, Optional.of(value), next, tick, last, lastJob, extraJob);
  }

  /** Waits for the instant with this tick job. */
  ScheduleRow waiting(long nextMs, JobId tickJob) {
    return new ScheduleRow(
        plan, owner, Optional.of(nextMs), Optional.of(tickJob), last, lastJob, extraJob);
  }

  ScheduleRow paused() {
    return new ScheduleRow(
        plan, owner, Optional.empty(), Optional.empty(), last, lastJob, extraJob);
  }

  /** The instants up to this one have had their turn. */
  ScheduleRow passed(long lastMs) {
    return new ScheduleRow(plan, owner, next, tick, Optional.of(lastMs), lastJob, extraJob);
  }

  ScheduleRow withLastJob(JobId job) {
    return new ScheduleRow(plan, owner, next, tick, last, Optional.of(job), extraJob);
  }

  ScheduleRow withExtraJob(JobId job) {
    return new ScheduleRow(plan, owner, next, tick, last, lastJob, Optional.of(job));
  }
}

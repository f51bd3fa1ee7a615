package io.millrace.worker;

import io.millrace.api.JobId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the table of schedules holds of one: the plan, and how far it is carried out. Immutable.
 *
 * @param plan what can be told of it, if the row is unreadable
 * @param unreadable why nobody here can carry it out
 */
record ScheduleRow(
    SchedulePlan plan, ScheduleState state, Optional<UnreadableSchedule> unreadable) {

  private static final long SET_MOST_MS = Duration.ofHours(1).toMillis();

  /** One that has done nothing yet, and does not run. */
  static ScheduleRow of(SchedulePlan plan) {
    return new ScheduleRow(plan, ScheduleState.NONE, Optional.empty());
  }

  Optional<String> owner() {
    return state.owner();
  }

  Optional<Long> next() {
    return state.next();
  }

  Optional<JobId> tick() {
    return state.tick();
  }

  Optional<Long> last() {
    return state.last();
  }

  Optional<JobId> lastJob() {
    return state.lastJob();
  }

  Optional<JobId> extraJob() {
    return state.extraJob();
  }

  /** One of which nobody can tell whether it was paused was not. */
  boolean isPaused() {
    return tick().isEmpty() && unreadable.map(UnreadableSchedule::isWhole).orElse(true);
  }

  /**
   * The first instant that had no turn and is still to come. What a row of an older version had its
   * last turn for is believed of that instant alone, if it is farther in the future than clocks are
   * set by hand.
   */
  long nextAfter(long nowMs) {
    return had(nowMs).nextAfter(nowMs, plan.times());
  }

  private InstantRuns had(long nowMs) {
    return state.had().righted(nowMs + SET_MOST_MS);
  }

  /**
   * Whether it waits longer than for the first instant to come that had no turn: the clock was
   * ahead when that was found.
   */
  boolean isTooLate(long nowMs) {
    return unreadable().isEmpty()
        && next().isPresent()
        && next().get() > nowMs
        && next().get() > nextAfter(nowMs);
  }

  /** Whether it has these times, whenever they began. */
  boolean isAt(Recurrence times) {
    return plan.times().beginningAt(0).equals(times.beginningAt(0));
  }

  /** Whether nothing would change if this were stored in place of the other. */
  boolean isSameAs(ScheduleRow other) {
    StoredScheduleCodec codec = new StoredScheduleCodec();
    return Arrays.equals(codec.encode(this), codec.encode(other));
  }

  /** Readable from here on: the plan is one that this machine has made. */
  ScheduleRow withPlan(SchedulePlan value) {
    return new ScheduleRow(value, state, Optional.empty());
  }

  private ScheduleRow with(ScheduleState value) {
    return new ScheduleRow(plan, value, unreadable);
  }

  ScheduleRow ownedBy(String value) {
    return with(state.ownedBy(value));
  }

  /** Waits for the instant with this tick job. */
  ScheduleRow waiting(long nextMs, JobId tickJob) {
    return with(state.waiting(nextMs, tickJob));
  }

  ScheduleRow paused() {
    return with(state.paused());
  }

  /** The instants up to this one have had their turn. */
  ScheduleRow passed(long lastMs) {
    return with(state.passed(lastMs));
  }

  /** These have had their turn, and those between them. */
  ScheduleRow passed(List<Long> instants, long nowMs) {
    long lastMs = instants.get(instants.size() - 1);
    InstantRuns all = had(nowMs).with(instants.get(0), lastMs, plan.times());
    return with(state.passed(lastMs, all));
  }

  ScheduleRow withLastJob(JobId job) {
    return with(state.withLastJob(job));
  }

  ScheduleRow withExtraJob(JobId job) {
    return with(state.withExtraJob(job));
  }
}

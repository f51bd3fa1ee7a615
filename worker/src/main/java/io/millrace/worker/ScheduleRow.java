package io.millrace.worker;

import io.millrace.api.JobId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The row of a schedule in their table: its plan, and how far that is carried out. Immutable.
 *
 * @param plan the plan; as far as it can be told, if the row is unreadable
 * @param unreadable the reason why nobody here can carry it out
 */
record ScheduleRow(
    SchedulePlan plan, ScheduleState state, Optional<UnreadableSchedule> unreadable) {

  private static final long SET_MOST_MS = Duration.ofHours(1).toMillis();

  /** Creates the row of a schedule that has done nothing yet, and does not run. */
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

  /**
   * Tells whether the schedule is paused. If the row's state cannot be read, it counts as not
   * paused.
   */
  boolean isPaused() {
    return tick().isEmpty() && unreadable.map(UnreadableSchedule::isWhole).orElse(true);
  }

  /**
   * Returns the first instant that had no turn and is still to come. A row of an older version
   * names only the instant that had its turn last. If that is farther in the future than clocks are
   * set by hand, it is believed of that instant alone.
   */
  long nextAfter(long nowMs) {
    return had(nowMs).nextAfter(nowMs, plan.times());
  }

  private InstantRuns had(long nowMs) {
    return state.had().righted(nowMs + SET_MOST_MS);
  }

  /**
   * Tells whether the schedule waits for a later instant than the first to come that had no turn:
   * the clock was ahead when it was found.
   */
  boolean isTooLate(long nowMs) {
    return unreadable().isEmpty()
        && next().isPresent()
        && next().get() > nowMs
        && next().get() > nextAfter(nowMs);
  }

  /** Tells whether the schedule has these times, whenever they began. */
  boolean isAt(Recurrence times) {
    return plan.times().beginningAt(0).equals(times.beginningAt(0));
  }

  /** Tells whether nothing would change if this were stored in place of the other. */
  boolean isSameAs(ScheduleRow other) {
    StoredScheduleCodec codec = new StoredScheduleCodec();
    return Arrays.equals(codec.encode(this), codec.encode(other));
  }

  /**
   * Returns the row with another plan. The row is readable from here on, since this machine has
   * made the plan.
   */
  ScheduleRow withPlan(SchedulePlan value) {
    return new ScheduleRow(value, state, Optional.empty());
  }

  private ScheduleRow with(ScheduleState value) {
    return new ScheduleRow(plan, value, unreadable);
  }

  ScheduleRow ownedBy(String value) {
    return with(state.ownedBy(value));
  }

  /** Returns the row as it waits for the instant with this tick job. */
  ScheduleRow waiting(long nextMs, JobId tickJob) {
    return with(state.waiting(nextMs, tickJob));
  }

  ScheduleRow paused() {
    return with(state.paused());
  }

  /** Returns the row with all instants up to this one having had their turn. */
  ScheduleRow passed(long lastMs) {
    return with(state.passed(lastMs));
  }

  /** Returns the row with these instants, and those between them, having had their turn. */
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

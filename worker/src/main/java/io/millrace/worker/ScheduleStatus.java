package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.worker.Schedule.Missed;
import io.millrace.worker.Schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule as it is stored.
 *
 * @param times the times at which it makes jobs, for people
 * @param type the type of its jobs; empty if they have none
 * @param owner the owner that declared it; empty if none did
 * @param next the next instant; empty if it is paused
 * @param last the newest instant that had its turn, whether a job was made for it or not
 * @param lastJob the job that was made last for an instant; it may be gone
 * @param unreadable the reason why nobody here can carry it out, if that is so: its zone is not
 *     known to this machine, say, or a newer Millrace has written it. It makes no jobs then. It may
 *     be put anew or removed, and goes on by itself where it can be read. The other components are
 *     as far as they could be read
 */
public record ScheduleStatus(
    String name,
    String times,
    Missed missed,
    Overlap overlap,
    Duration jitter,
    QueueName queue,
    Optional<String> type,
    Optional<String> owner,
    Optional<Instant> next,
    Optional<Instant> last,
    Optional<JobId> lastJob,
    Optional<String> unreadable) {

  static ScheduleStatus of(String name, ScheduleRow row) {
    SchedulePlan plan = row.plan();
    return new ScheduleStatus(
        name,
        plan.times().toString(),
        plan.missed(),
        plan.overlap(),
        Duration.ofMillis(plan.jitterMs()),
        plan.queue(),
        plan.job().options().type(),
        row.owner(),
        row.next().map(Instant::ofEpochMilli),
        row.last().map(Instant::ofEpochMilli),
        row.lastJob(),
        row.unreadable().map(UnreadableSchedule::reason));
  }

  public boolean isPaused() {
    return next.isEmpty();
  }
}

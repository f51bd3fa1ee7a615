package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.QueueName;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.management.ScheduleSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is shown.
 *
 * @param times when it makes jobs
 * @param missed what becomes of instants that nobody was there for
 * @param overlap what becomes of an instant while the last job has not ended
 * @param next the next instant; empty if it is paused
 * @param last the newest instant that had its turn
 * @param lastJob the job that was made last
 * @param unreadable why nobody there can carry it out
 */
public record ToldSchedule(
    String name,
    String times,
    String missed,
    String overlap,
    Duration jitter,
    QueueName queue,
    Optional<String> type,
    Optional<String> owner,
    Optional<Instant> next,
    Optional<Instant> last,
    Optional<String> lastJob,
    Optional<String> unreadable) {

  static ToldSchedule of(ScheduleStatus status) {
    return new ToldSchedule(
        status.name(),
        status.times(),
        status.missed().toString(),
        status.overlap().name(),
        status.jitter(),
        status.queue(),
        status.type(),
        status.owner(),
        status.next(),
        status.last(),
        status.lastJob().map(JobId::toString),
        status.unreadable());
  }

  static ToldSchedule of(ScheduleSnapshot snapshot) {
    return new ToldSchedule(
        snapshot.getName(),
        snapshot.getTimes(),
        snapshot.getMissed(),
        snapshot.getOverlap(),
        Duration.ofMillis(snapshot.getJitterMs()),
        new QueueName(snapshot.getQueue(), snapshot.getTenant()),
        Optional.ofNullable(snapshot.getType()),
        Optional.ofNullable(snapshot.getOwner()),
        instant(snapshot.getNextMs()),
        instant(snapshot.getLastMs()),
        Optional.ofNullable(snapshot.getLastJob()),
        Optional.ofNullable(snapshot.getUnreadable()));
  }

  private static Optional<Instant> instant(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(Instant::ofEpochMilli);
  }
}

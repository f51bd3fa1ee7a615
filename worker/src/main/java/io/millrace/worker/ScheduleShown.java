package io.millrace.worker;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.worker.management.SchedulePage;
import io.millrace.worker.management.ScheduleSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule as tools see it. */
record ScheduleShown(ScheduleStatus status) implements ScheduleSnapshot {

  static SchedulePage page(Page<ScheduleStatus> page) {
    return new PageShown(page);
  }

  private record PageShown(Page<ScheduleStatus> page) implements SchedulePage {

    @Override
    public List<ScheduleSnapshot> getSchedules() {
      return page.items().stream().<ScheduleSnapshot>map(ScheduleShown::new).toList();
    }

    @Override
    public @Nullable String getNext() {
      return page.next().orElse(null);
    }
  }

  @Override
  public String getName() {
    return status.name();
  }

  @Override
  public String getTimes() {
    return status.times();
  }

  @Override
  public String getMissed() {
    return status.missed().toString();
  }

  @Override
  public String getOverlap() {
    return status.overlap().name();
  }

  @Override
  public long getJitterMs() {
    return status.jitter().toMillis();
  }

  @Override
  public String getQueue() {
    return status.queue().name();
  }

  @Override
  public String getTenant() {
    return status.queue().tenant();
  }

  @Override
  public @Nullable String getType() {
    return status.type().orElse(null);
  }

  @Override
  public @Nullable String getOwner() {
    return status.owner().orElse(null);
  }

  @Override
  public @Nullable Long getNextMs() {
    return status.next().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public @Nullable Long getLastMs() {
    return status.last().map(Instant::toEpochMilli).orElse(null);
  }

  @Override
  public @Nullable String getLastJob() {
    return status.lastJob().map(JobId::toString).orElse(null);
  }

  @Override
  public @Nullable String getUnreadable() {
    return status.unreadable().orElse(null);
  }
}

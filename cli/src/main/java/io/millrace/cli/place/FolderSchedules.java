package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules of a store that this process has opened. */
public final class FolderSchedules implements ScheduleTarget {

  private final FolderTarget store;

  /** Creates the schedules of this store, which is closed with them. */
  public FolderSchedules(FolderTarget store) {
    this.store = store;
  }

  @Override
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return store.read(reader -> Schedules.list(reader, page));
  }

  @Override
  public Optional<List<Instant>> next(String name, int count) {
    return store.read(reader -> Schedules.next(reader, name, count));
  }

  @Override
  public boolean pause(String name) {
    return Schedules.of(store.engine()).pause(name);
  }

  @Override
  public boolean resume(String name) {
    return Schedules.of(store.engine()).resume(name);
  }

  @Override
  public Optional<JobId> runNow(String name) {
    return Schedules.of(store.engine()).runNow(name);
  }

  @Override
  public void close() {
    store.close();
  }
}

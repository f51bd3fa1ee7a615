package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.Schedules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules of a store that is asked by the API of queues. */
public final class QueuesSchedules implements ScheduleTarget {

  private final QueuesTarget store;

  /** Creates the schedules of this store, which is closed with them. */
  public QueuesSchedules(QueuesTarget store) {
    this.store = store;
  }

  @Override
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return store.ask(() -> Schedules.list(store.reading(), page));
  }

  @Override
  public Optional<List<Instant>> next(String name, int count) {
    return store.ask(() -> Schedules.next(store.reading(), name, count));
  }

  @Override
  public boolean pause(String name) {
    return store.ask(() -> Schedules.of(store.changing()).pause(name));
  }

  @Override
  public boolean resume(String name) {
    return store.ask(() -> Schedules.of(store.changing()).resume(name));
  }

  @Override
  public Optional<JobId> runNow(String name) {
    return store.ask(() -> Schedules.of(store.changing()).runNow(name));
  }

  @Override
  public void close() {
    store.close();
  }
}

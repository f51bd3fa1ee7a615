package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.worker.ScheduleStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules that a command works on, whoever holds their store. For one thread. */
public interface ScheduleTarget extends AutoCloseable {

  /** Returns all schedules, in the order of their names. */
  Page<ScheduleStatus> schedules(PageRequest page);

  /** Returns the next instants of a schedule, none while it is paused; empty if it is not there. */
  Optional<List<Instant>> next(String name, int count);

  /** Lets a schedule make no more jobs; returns whether it is there. */
  boolean pause(String name);

  /** Lets a schedule go on; returns whether it is there. */
  boolean resume(String name);

  /** Makes a job of a schedule at once; returns empty if it is not there. */
  Optional<JobId> runNow(String name);

  @Override
  void close();
}

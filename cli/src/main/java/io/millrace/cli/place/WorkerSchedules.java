package io.millrace.cli.place;

import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.worker.ScheduleStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The schedules that a worker in another process knows. */
public final class WorkerSchedules implements ScheduleTarget {

  private final WorkerProcess process;
  private final LiveWorker worker;

  private WorkerSchedules(WorkerProcess process, LiveWorker worker) {
    this.process = process;
    this.worker = worker;
  }

  /**
   * Asks a worker of the process.
   *
   * @throws AttachException there is none, or several are meant
   */
  public static WorkerSchedules of(WorkerProcess process, WorkerChoice choice) {
    try {
      return new WorkerSchedules(process, process.worker(choice));
    } catch (RuntimeException | Error e) {
      process.close();
      throw e;
    }
  }

  @Override
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return worker.schedules(page);
  }

  @Override
  public Optional<List<Instant>> next(String name, int count) {
    return worker.nextInstants(name, count);
  }

  @Override
  public boolean pause(String name) {
    return worker.pauseSchedule(name);
  }

  @Override
  public boolean resume(String name) {
    return worker.resumeSchedule(name);
  }

  @Override
  public Optional<JobId> runNow(String name) {
    return worker.runScheduleNow(name);
  }

  @Override
  public void close() {
    process.close();
  }
}

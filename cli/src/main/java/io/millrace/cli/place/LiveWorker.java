package io.millrace.cli.place;

import io.millrace.api.CancelResult;
import io.millrace.api.JobId;
import io.millrace.api.Page;
import io.millrace.api.PageRequest;
import io.millrace.worker.ScheduleStatus;
import io.millrace.worker.StopReport;
import io.millrace.worker.WorkerDescriptions;
import io.millrace.worker.management.RunningJobStatus;
import io.millrace.worker.management.WorkerMBean;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A worker in another process. */
public final class LiveWorker {

  private final OtherProcess process;
  private final WorkerMBean worker;
  private final String name;
  private final int instance;

  LiveWorker(OtherProcess process, WorkerMBean worker, String name, int instance) {
    this.process = process;
    this.worker = worker;
    this.name = name;
    this.instance = instance;
  }

  /**
   * The state of a worker.
   *
   * @param state a word: running, paused, stopping or stopped
   * @param concurrency the total weight of jobs that may run at a time
   * @param busy the total weight of the jobs that were claimed and whose handlers have not returned
   * @param jobCount the number of jobs that run now
   */
  public record Status(String state, int concurrency, int busy, int jobCount) {}

  /** Returns the name under which the worker claims. */
  public String name() {
    return name;
  }

  /** Returns the worker's number among those of its name, from 1. */
  public int instance() {
    return instance;
  }

  /** Returns the worker's name, with its number if there is an earlier one of that name. */
  public String label() {
    return instance == 1 ? name : name + " (" + instance + ")";
  }

  /** Returns the worker's state now. */
  public Status status() {
    return process.ask(
        () ->
            new Status(
                state(), worker.getConcurrency(), worker.getBusy(), worker.getRunningCount()));
  }

  private String state() {
    if (worker.isStopped()) {
      return "stopped";
    }
    if (worker.isStopping()) {
      return "stopping";
    }
    return worker.isPaused() ? "paused" : "running";
  }

  /**
   * Returns the jobs that run now, those that have run longest first; at most as many as the worker
   * lists.
   *
   * @param stackLength how many calls of each stack
   */
  public List<RunningJobStatus> running(int stackLength) {
    return Arrays.stream(process.ask(() -> worker.running(stackLength)))
        .map(job -> OtherProcess.read(WorkerDescriptions.RUNNING_JOB, job))
        .toList();
  }

  /** Tells whether the worker runs the job. */
  public boolean isRunning(JobId job) {
    return process.ask(() -> worker.isRunning(job.toString()));
  }

  /** Stops claiming jobs. */
  public void pause() {
    process.run(worker::pause);
  }

  /** Claims jobs again. */
  public void resume() {
    process.run(worker::resume);
  }

  /** Sets the total weight of jobs that may run at a time. */
  public void concurrency(int weight) {
    process.run(() -> worker.setConcurrency(weight));
  }

  /** Asks for a job to be cancelled, and interrupts its handler. */
  public CancelResult cancel(JobId job) {
    return OtherProcess.word(CancelResult.class, process.ask(() -> worker.cancel(job.toString())));
  }

  /** Returns the schedules that are stored with the worker's queues. */
  public Page<ScheduleStatus> schedules(PageRequest page) {
    return OtherProcess.read(
        WorkerDescriptions.SCHEDULES,
        process.ask(() -> worker.schedules(page.size(), page.cursor().orElse(null))));
  }

  /** Returns the next instants of a schedule. */
  public Optional<List<Instant>> nextInstants(String schedule, int count) {
    return process
        .ask(() -> Optional.ofNullable(worker.nextInstants(schedule, count)))
        .map(next -> next.stream().map(Instant::ofEpochMilli).toList());
  }

  /** Lets a schedule make no more jobs; returns whether it is there. */
  public boolean pauseSchedule(String schedule) {
    return process.ask(() -> worker.pauseSchedule(schedule));
  }

  /** Lets a schedule go on; returns whether it is there. */
  public boolean resumeSchedule(String schedule) {
    return process.ask(() -> worker.resumeSchedule(schedule));
  }

  /** Makes a job of a schedule at once. */
  public Optional<JobId> runScheduleNow(String schedule) {
    return process.ask(
        () -> Optional.ofNullable(worker.runScheduleNow(schedule)).map(JobId::parse));
  }

  /** Stops the worker for good; returns when it has stopped. */
  public StopReport stop(Duration grace) {
    return OtherProcess.read(
        WorkerDescriptions.STOP_REPORT, process.ask(() -> worker.stop(grace.toSeconds())));
  }
}

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

  private final Asked asked;
  private final WorkerMBean worker;
  private final String name;
  private final int instance;

  LiveWorker(Asked asked, WorkerMBean worker, String name, int instance) {
    this.asked = asked;
    this.worker = worker;
    this.name = name;
    this.instance = instance;
  }

  /**
   * How it is.
   *
   * @param state a word: running, paused, stopping or stopped
   * @param concurrency of how much weight it runs jobs at a time
   * @param busy of how much weight it runs jobs now
   * @param jobCount how many these are
   */
  public record Status(String state, int concurrency, int busy, int jobCount) {}

  /** As which it claims. */
  public String name() {
    return name;
  }

  /** Which of those of its name it is, from 1. */
  public int instance() {
    return instance;
  }

  /** Its name, with the number if there is an earlier one of that name. */
  public String label() {
    return instance == 1 ? name : name + " (" + instance + ")";
  }

  /** How it is now. */
  public Status status() {
    return asked.ask(
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
   * The jobs that it runs, those that run longest first; at most as many as it tells.
   *
   * @param stackLength how many calls of each stack
   */
  public List<RunningJobStatus> running(int stackLength) {
    return Arrays.stream(asked.ask(() -> worker.running(stackLength)))
        .map(job -> Asked.read(WorkerDescriptions.RUNNING_JOB, job))
        .toList();
  }

  /** Whether it runs the job. */
  public boolean isRunning(JobId job) {
    return asked.ask(() -> worker.isRunning(job.toString()));
  }

  /** Claims no more jobs. */
  public void pause() {
    asked.run(worker::pause);
  }

  /** Claims jobs again. */
  public void resume() {
    asked.run(worker::resume);
  }

  /** Runs jobs of this weight at a time. */
  public void concurrency(int weight) {
    asked.run(() -> worker.setConcurrency(weight));
  }

  /** Asks for a job to be cancelled, and interrupts its handler. */
  public CancelResult cancel(JobId job) {
    return Asked.word(CancelResult.class, asked.ask(() -> worker.cancel(job.toString())));
  }

  /** The schedules that are stored with its queues. */
  Page<ScheduleStatus> schedules(PageRequest page) {
    return Asked.read(
        WorkerDescriptions.SCHEDULES,
        asked.ask(() -> worker.schedules(page.size(), page.cursor().orElse(null))));
  }

  /** The next instants of a schedule. */
  Optional<List<Instant>> nextInstants(String schedule, int count) {
    return asked
        .ask(() -> Optional.ofNullable(worker.nextInstants(schedule, count)))
        .map(next -> next.stream().map(Instant::ofEpochMilli).toList());
  }

  /** Lets a schedule make no more jobs; says whether it is there. */
  boolean pauseSchedule(String schedule) {
    return asked.ask(() -> worker.pauseSchedule(schedule));
  }

  /** Lets a schedule go on; says whether it is there. */
  boolean resumeSchedule(String schedule) {
    return asked.ask(() -> worker.resumeSchedule(schedule));
  }

  /** Makes a job of a schedule at once. */
  Optional<JobId> runScheduleNow(String schedule) {
    return asked.ask(() -> Optional.ofNullable(worker.runScheduleNow(schedule)).map(JobId::parse));
  }

  /** Stops it for good; answers when it has stopped. */
  public StopReport stop(Duration grace) {
    return Asked.read(
        WorkerDescriptions.STOP_REPORT, asked.ask(() -> worker.stop(grace.toSeconds())));
  }
}

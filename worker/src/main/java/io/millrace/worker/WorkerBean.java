package io.millrace.worker;

import static io.millrace.engine.jmx.ToolAnswers.tell;

import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.describe.OpenData;
import io.millrace.engine.jmx.Visibility;
import io.millrace.engine.jmx.VisibleBean;
import io.millrace.engine.noted.Noted;
import io.millrace.options.Checks;
import io.millrace.worker.management.RunningJobStatus;
import io.millrace.worker.management.WorkerMBean;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker as an MBean. Actions on the worker are logged by the worker, those on jobs here. */
final class WorkerBean implements WorkerMBean {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerBean.class);

  private final RunningWorker worker;

  WorkerBean(RunningWorker worker) {
    this.worker = worker;
  }

  /** Makes the worker visible soon, until the returned object is closed. */
  static AutoCloseable show(RunningWorker worker) {
    return Visibility.begin(
        new VisibleBean<>(
            WorkerMBean.TYPE, worker.name(), WorkerMBean.class, new WorkerBean(worker)));
  }

  @Override
  public String getName() {
    return worker.name();
  }

  @Override
  public @Nullable String getEngine() {
    return Noted.of(worker.queues()).flatMap(Noted::seenAs).orElse(null);
  }

  @Override
  public int getConcurrency() {
    return worker.concurrency();
  }

  @Override
  public void setConcurrency(int weight) {
    worker.concurrency(weight);
  }

  @Override
  public int getBusy() {
    return worker.busy();
  }

  @Override
  public int getRunningCount() {
    return worker.running().size();
  }

  @Override
  public TabularData getUnknownTypes() {
    return OpenData.write(worker.unknownTypes());
  }

  @Override
  public boolean isPaused() {
    return worker.isPaused();
  }

  @Override
  public boolean isStopping() {
    return worker.isStopping();
  }

  @Override
  public boolean isStopped() {
    return worker.isStopped();
  }

  @Override
  public void pause() {
    worker.pause();
  }

  @Override
  public void resume() {
    worker.resume();
  }

  @Override
  public CompositeData[] running(int stackLength) {
    int length = (int) Checks.inRange("stackLength", stackLength, 0, STACK_LENGTH_MAX);
    return OpenData.write(
        WorkerDescriptions.RUNNING_JOB,
        worker.running().stream()
            .limit(RUNNING_COUNT_MAX)
            .map(job -> status(job, length))
            .toList());
  }

  /** Returns the status of a job; the stack is taken right after the job. */
  private static RunningJobStatus status(RunningJob job, int stackLength) {
    Stream<StackTraceElement> calls = stackLength == 0 ? Stream.of() : job.stack().stream();
    return new RunningJobStatus(
        job.jobId(),
        job.queue(),
        job.type(),
        job.attempt(),
        job.since(),
        job.progress(),
        job.text(),
        job.thread().getName(),
        calls.limit(stackLength).map(StackTraceElement::toString).toList());
  }

  @Override
  public boolean isRunning(String jobId) {
    JobId job = JobId.parse(jobId);
    return worker.running().stream().anyMatch(run -> run.jobId().equals(job));
  }

  @Override
  public String cancel(String jobId) {
    JobId job = JobId.parse(jobId);
    String outcome = tell(() -> worker.cancel(job).name());
    LOG.info("cancel by JMX: worker={}, job={}, outcome={}", worker.name(), job, outcome);
    return outcome;
  }

  @Override
  public CompositeData stop(long graceSeconds) {
    Duration grace = Checks.upTo("grace", Duration.ofSeconds(graceSeconds), Limits.DELAY_MAX);
    return tell(() -> OpenData.write(WorkerDescriptions.STOP_REPORT, worker.stop(grace)));
  }

  @Override
  public CompositeData schedules(int size, @Nullable String cursor) {
    PageRequest page = new PageRequest(size, Optional.ofNullable(cursor));
    return tell(() -> OpenData.write(WorkerDescriptions.SCHEDULES, schedules().list(page)));
  }

  @Override
  public @Nullable List<Long> nextInstants(String schedule, int count) {
    return tell(() -> schedules().next(schedule, count))
        .map(next -> next.stream().map(Instant::toEpochMilli).toList())
        .orElse(null);
  }

  @Override
  public boolean pauseSchedule(String schedule) {
    return change("pause", schedule, () -> schedules().pause(schedule));
  }

  @Override
  public boolean resumeSchedule(String schedule) {
    return change("resume", schedule, () -> schedules().resume(schedule));
  }

  @Override
  public @Nullable String runScheduleNow(String schedule) {
    Optional<JobId> job = change("run", schedule, () -> schedules().runNow(schedule));
    return job.map(JobId::toString).orElse(null);
  }

  private Schedules schedules() {
    return Schedules.of(worker.queues());
  }

  private static <T> T change(String what, String schedule, Supplier<T> change) {
    T outcome = tell(change);
    String name = FailureLine.oneLine(schedule);
    LOG.info("{} of a schedule by JMX: schedule={}, outcome={}", what, name, outcome);
    return outcome;
  }
}

package io.millrace.worker;

import static io.millrace.engine.jmx.Told.tell;

import io.millrace.api.JobId;
import io.millrace.api.Limits;
import io.millrace.api.PageRequest;
import io.millrace.engine.jmx.Seen;
import io.millrace.engine.jmx.Visibility;
import io.millrace.worker.management.RunningJobSnapshot;
import io.millrace.worker.management.SchedulePage;
import io.millrace.worker.management.StopSnapshot;
import io.millrace.worker.management.WorkerMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker as an MXBean. Acts on the worker are logged by the worker, those on jobs here. */
final class WorkerBean implements WorkerMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerBean.class);

  private final RunningWorker worker;

  WorkerBean(RunningWorker worker) {
    this.worker = worker;
  }

  /** Lets the worker be seen soon, until what is answered is closed. */
  static AutoCloseable show(RunningWorker worker) {
    return Visibility.begin(
        new Seen<>(WorkerMXBean.TYPE, worker.name(), WorkerMXBean.class, new WorkerBean(worker)));
  }

  @Override
  public String getName() {
    return worker.name();
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
  public Map<String, Long> getUnknownTypes() {
    return worker.unknownTypes();
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
  public List<RunningJobSnapshot> running(int stackLength) {
    int length = (int) Limits.inRange("stackLength", stackLength, 0, STACK_LENGTH_MAX);
    return worker.running().stream()
        .limit(RUNNING_COUNT_MAX)
        .<RunningJobSnapshot>map(job -> new JobShown(job, length))
        .toList();
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
  public StopSnapshot stop(long graceSeconds) {
    Duration grace = Limits.delay("grace", Duration.ofSeconds(graceSeconds));
    return tell(() -> new StopShown(worker.stop(grace)));
  }

  @Override
  public SchedulePage schedules(int size, @Nullable String cursor) {
    PageRequest page = new PageRequest(size, Optional.ofNullable(cursor));
    return tell(() -> ScheduleShown.page(schedules().list(page)));
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

  private record StopShown(StopReport report) implements StopSnapshot {

    @Override
    public int getFinished() {
      return report.finished();
    }

    @Override
    public int getInterrupted() {
      return report.interrupted();
    }

    @Override
    public int getReleased() {
      return report.released();
    }
  }

  /** The stack is taken when it is asked for, right after the job. */
  private record JobShown(RunningJob job, int stackLength) implements RunningJobSnapshot {

    @Override
    public String getJobId() {
      return job.jobId().toString();
    }

    @Override
    public String getQueue() {
      return job.queue().name();
    }

    @Override
    public String getTenant() {
      return job.queue().tenant();
    }

    @Override
    public String getType() {
      return job.type();
    }

    @Override
    public int getAttempt() {
      return job.attempt();
    }

    @Override
    public long getSinceMs() {
      return job.since().toEpochMilli();
    }

    @Override
    public double getProgress() {
      return job.progress();
    }

    @Override
    public String getText() {
      return job.text();
    }

    @Override
    public String getThread() {
      return job.thread().getName();
    }

    @Override
    public List<String> getStack() {
      Stream<StackTraceElement> calls = stackLength == 0 ? Stream.of() : job.stack().stream();
      return calls.limit(stackLength).map(StackTraceElement::toString).toList();
    }
  }
}

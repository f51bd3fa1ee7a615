package io.millrace.worker;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.engine.noted.Noted;
import io.millrace.options.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/** The settings of a worker that is to be started. For one thread; one setup starts one worker. */
public final class WorkerSetup {

  final JobQueues queues;
  final Handlers handlers = new Handlers();
  final List<Middleware> middlewares = new ArrayList<>();
  final List<WorkerListener> listeners = new ArrayList<>();
  String name = "worker-" + ProcessHandle.current().pid();
  int concurrency = 2 * Runtime.getRuntime().availableProcessors();
  OptionalInt minConcurrency = OptionalInt.empty();
  Optional<Duration> leaseDuration = Optional.empty();
  Optional<Executor> executor = Optional.empty();
  Optional<Duration> shutdownGrace = Optional.empty();
  Optional<Duration> unknownDeadAfter = Optional.empty();
  Optional<ScheduleKeeper> scheduleKeeper = Optional.empty();
  Management management = Management.JMX;
  RetryLog retryLog = RetryLog.WARN;

  /**
   * The logger of failures, if not the usual one. {@link #failureClock} is the clock that folds
   * them.
   */
  Optional<Logger> failureLogger = Optional.empty();

  LongSupplier failureClock = System::nanoTime;

  /** The least time that a job may wait for its thread; twice its lease if that is longer. */
  Duration beginLeast = Duration.ofSeconds(15);

  private boolean isWithoutSchedules;
  private boolean isStarted;

  WorkerSetup(JobQueues queues) {
    this.queues = Objects.requireNonNull(queues, "queues");
  }

  /**
   * Runs a handler for the jobs of the type: returning completes a job, throwing fails the attempt.
   *
   * @throws IllegalArgumentException the worker has a handler for the type already
   */
  public <T> WorkerSetup handle(JobType<T> type, JobHandler<? super T> handler) {
    return handle(type, handler, UnaryOperator.identity());
  }

  /**
   * Runs a handler with options of its own; see {@link #handle(JobType, JobHandler)}.
   *
   * @param options changes how the jobs are run
   * @throws IllegalArgumentException the worker has a handler for the type already, or the function
   *     loses some of its changes
   */
  public <T> WorkerSetup handle(
      JobType<T> type, JobHandler<? super T> handler, UnaryOperator<HandlerOptions> options) {
    Objects.requireNonNull(handler, "handler");
    return add(
        type,
        (payload, job) -> {
          handler.handle(payload, job);
          return Next.done();
        },
        options);
  }

  /**
   * Runs a handler for the jobs of the type: the value that it returns is the job's result. Effects
   * in the same store can be one commit with the result by {@link #steps} and {@link
   * Next#doneWith(ResultJobType, Function)}.
   *
   * @throws IllegalArgumentException the worker has a handler for the type already
   */
  public <T, R> WorkerSetup compute(
      ResultJobType<T, R> type, JobFunction<? super T, ? extends R> handler) {
    return compute(type, handler, UnaryOperator.identity());
  }

  /**
   * Runs a handler with options of its own; see {@link #compute(ResultJobType, JobFunction)}.
   *
   * @param options changes how the jobs are run
   * @throws IllegalArgumentException the worker has a handler for the type already, or the function
   *     loses some of its changes
   */
  public <T, R> WorkerSetup compute(
      ResultJobType<T, R> type,
      JobFunction<? super T, ? extends R> handler,
      UnaryOperator<HandlerOptions> options) {
    Objects.requireNonNull(handler, "handler");
    return steps(
        type,
        (payload, job) -> {
          R answer = handler.handle(payload, job);
          Objects.requireNonNull(
              answer, () -> "handler answered null, which is no result: type=" + type.name());
          return Next.done(type.results().encode(answer));
        },
        options);
  }

  /**
   * Runs a handler for the jobs of the type: its answer says what becomes of each job.
   *
   * @throws IllegalArgumentException the worker has a handler for the type already
   */
  public <T> WorkerSetup steps(JobType<T> type, JobSteps<? super T> handler) {
    return steps(type, handler, UnaryOperator.identity());
  }

  /**
   * Runs a handler with options of its own; see {@link #steps(JobType, JobSteps)}.
   *
   * @param options changes how the jobs are run
   * @throws IllegalArgumentException the worker has a handler for the type already, or the function
   *     loses some of its changes
   */
  public <T> WorkerSetup steps(
      JobType<T> type, JobSteps<? super T> handler, UnaryOperator<HandlerOptions> options) {
    Objects.requireNonNull(handler, "handler");
    return add(type, (payload, job) -> job.carriedOut(handler.handle(payload, job)), options);
  }

  private <T> WorkerSetup add(
      JobType<T> type, Handlers.Steps<T> steps, UnaryOperator<HandlerOptions> options) {
    handlers.add(type, steps, HandlerOptions.DEFAULT.changed(options));
    return this;
  }

  /**
   * Makes the jobs of {@link Schedules} when they are due. Every worker does so between its other
   * jobs, and it takes next to no time. Call this for a worker that does nothing else, and so is
   * punctual where the jobs of other workers may take long.
   *
   * @throws IllegalArgumentException this was called before
   * @throws IllegalStateException the worker was told {@linkplain #withoutSchedules not to}
   */
  public WorkerSetup schedules() {
    if (isWithoutSchedules) {
      throw bothWays();
    }
    ScheduleTicks ticks = new ScheduleTicks(queues);
    WorkerSetup setup = add(ScheduleTicks.TICK, ticks::handle, UnaryOperator.identity());
    scheduleKeeper = Optional.of(new ScheduleKeeper(queues, ticks));
    return setup;
  }

  /**
   * Leaves the jobs of {@link Schedules} to other workers.
   *
   * @throws IllegalStateException the worker was told to {@linkplain #schedules make} them
   */
  public WorkerSetup withoutSchedules() {
    if (scheduleKeeper.isPresent()) {
      throw bothWays();
    }
    isWithoutSchedules = true;
    return this;
  }

  private IllegalStateException bothWays() {
    return new IllegalStateException(
        "worker is told to make the jobs of schedules, and not to: worker=" + name + "; say one");
  }

  /**
   * Works for all tenants of the names of its types' queues, turn by turn, and not for one tenant.
   */
  public WorkerSetup allTenants() {
    handlers.acrossTenants();
    return this;
  }

  /**
   * Sets the time after which jobs of a type without a handler here are dead letters, counted from
   * when they were enqueued: nobody knows them any more, as after a type was renamed. Unless set,
   * this never happens. Such jobs are handed back, for a minute at first and an hour in the end,
   * since another worker may know them.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public WorkerSetup unknownTypesDeadAfter(Duration time) {
    unknownDeadAfter = Optional.of(Checks.upTo("time", time, Limits.DELAY_MAX));
    return this;
  }

  /**
   * Sets the name under which the worker claims; 1 to {@value Limits#WORKER_BYTES_MAX} bytes of
   * UTF-8.
   *
   * @throws IllegalArgumentException the name is out of this range, or is not valid Unicode
   */
  public WorkerSetup name(String value) {
    name = Checks.text("name", value, 1, Limits.WORKER_BYTES_MAX);
    return this;
  }

  /**
   * Sets the total weight of jobs that run at a time: twice the number of processors unless set.
   * The worker takes no heavier jobs.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value Limits#WEIGHT_MAX}
   */
  public WorkerSetup concurrency(int weight) {
    concurrency = checked("concurrency", weight);
    return this;
  }

  /**
   * Sets the weight of running jobs below which more jobs are claimed, and then as many as can run:
   * fewer claims, of more jobs each. Unless set, jobs are claimed whenever there is room.
   *
   * @throws IllegalArgumentException the value is out of its range, 1 to {@value Limits#WEIGHT_MAX}
   */
  public WorkerSetup minConcurrency(int weight) {
    minConcurrency = OptionalInt.of(checked("minConcurrency", weight));
    return this;
  }

  static int checked(String parameter, int weight) {
    return (int) Checks.inRange(parameter, weight, 1, Limits.WEIGHT_MAX);
  }

  /**
   * Sets how long leases last until they are lengthened; as the job or its queue says unless set.
   *
   * @throws IllegalArgumentException the value is out of its range, {@link Limits#LEASE_LEAST} to
   *     {@link Limits#LEASE_MAX}
   */
  public WorkerSetup leaseDuration(Duration value) {
    leaseDuration =
        Optional.of(Checks.inRange("leaseDuration", value, Limits.LEASE_LEAST, Limits.LEASE_MAX));
    return this;
  }

  /**
   * Sets the executor that handlers run on, for example one of virtual threads, in place of the
   * worker's own threads. It is not shut down with the worker. Jobs that it refuses are handed
   * back, and tried again after a second. So are those that it has taken and not begun within twice
   * the lease, but at least 15 s.
   */
  public WorkerSetup executor(Executor value) {
    executor = Optional.of(Objects.requireNonNull(value, "executor"));
    return this;
  }

  /**
   * Adds a middleware that is called around every handler; the one that is added first is the
   * outermost.
   */
  public WorkerSetup use(Middleware value) {
    middlewares.add(Objects.requireNonNull(value, "middleware"));
    return this;
  }

  /** Adds a listener that is told what the worker does. */
  public WorkerSetup listener(WorkerListener value) {
    listeners.add(Objects.requireNonNull(value, "listener"));
    return this;
  }

  /**
   * Sets how the log is told of attempts that failed and will be tried again: {@link RetryLog#WARN}
   * unless set. An {@link Error} is told as an error, with its stack, whatever is set.
   */
  public WorkerSetup retryLog(RetryLog value) {
    retryLog = Objects.requireNonNull(value, "retryLog");
    return this;
  }

  /**
   * Stops the worker when the JVM shuts down, with this grace, before the queues are closed: 5 s
   * unless set. If {@link Worker#stop} is called as well, its grace holds unless this was set. A
   * handler that has not ended a second after it was interrupted counts as a start that failed.
   *
   * @throws IllegalArgumentException the value is out of its range, zero to {@link
   *     Limits#DELAY_MAX}
   */
  public WorkerSetup stopAtShutdown(Duration grace) {
    shutdownGrace = Optional.of(Checks.upTo("grace", grace, Limits.DELAY_MAX));
    return this;
  }

  /**
   * Sets how others may look at the running worker. A worker of a {@link WorkerDriver} is not
   * looked at.
   */
  public WorkerSetup management(Management value) {
    management = Objects.requireNonNull(value, "management");
    return this;
  }

  /**
   * Starts the worker.
   *
   * @throws IllegalStateException it has no handlers, or was started before
   * @throws EngineClosedException the engine is closed; nothing was started
   */
  public Worker start() {
    if (handlers.isEmpty()) {
      throw new IllegalStateException("worker has no handlers: worker=" + name + "; name some");
    }
    if (isStarted) {
      throw new IllegalStateException("worker was started before: worker=" + name);
    }
    if (Noted.of(queues).map(Noted::isClosed).orElse(false)) {
      throw new EngineClosedException(
          "worker cannot be started on a closed engine: worker="
              + name
              + "; open the store again, and start one on that engine");
    }
    isStarted = true;
    if (queues instanceof WorkerDriver driver) {
      listeners.add(driver.listener());
    }
    if (scheduleKeeper.isEmpty() && !isWithoutSchedules) {
      schedules();
    }
    RunningWorker worker = new RunningWorker(this);
    worker.begin(shutdownGrace);
    return worker;
  }
}

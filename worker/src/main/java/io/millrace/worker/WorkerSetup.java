package io.millrace.worker;

import io.millrace.api.EngineClosedException;
import io.millrace.api.EngineOptions.Management;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.api.Limits;
import io.millrace.api.ResultJobType;
import io.millrace.engine.noted.Noted;
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

/** A worker that is being set up. For one thread; one setup starts one worker. */
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

  /** Where failures are told, and by which clock they are folded. */
  Optional<Logger> failureLogger = Optional.empty();

  LongSupplier failureClock = System::nanoTime;

  /** For so long at least a job may wait for its thread, or for twice its lease. */
  Duration beginLeast = Duration.ofSeconds(15);

  private boolean isWithoutSchedules;
  private boolean isStarted;

  WorkerSetup(JobQueues queues) {
    this.queues = Objects.requireNonNull(queues, "queues");
  }

  /** Runs this for the jobs of the type: returning completes them, throwing fails the attempt. */
  public <T> WorkerSetup handle(JobType<T> type, JobHandler<? super T> handler) {
    return handle(type, handler, UnaryOperator.identity());
  }

  /** As the other; the function changes how the jobs are run. */
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
   * Runs this for the jobs of the type: what it returns is their result. For effects in the same
   * store that are one commit with the result there are {@link #steps} and {@link
   * Next#doneWith(ResultJobType, Function)}.
   */
  public <T, R> WorkerSetup compute(
      ResultJobType<T, R> type, JobFunction<? super T, ? extends R> handler) {
    return compute(type, handler, UnaryOperator.identity());
  }

  /** As the other; the function changes how the jobs are run. */
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

  /** Runs this for the jobs of the type: it says what becomes of them. */
  public <T> WorkerSetup steps(JobType<T> type, JobSteps<? super T> handler) {
    return steps(type, handler, UnaryOperator.identity());
  }

  /** As the other; the function changes how the jobs are run. */
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
   * jobs, and it takes next to no time; this is for one that does nothing else, and is punctual
   * where those of the others may take long.
   *
   * @throws IllegalArgumentException this was called before
   * @throws IllegalStateException it was told {@linkplain #withoutSchedules not to}
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
   * @throws IllegalStateException it was told to {@linkplain #schedules make} them
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

  /** Works for all tenants of the names of its types' queues, turn by turn, and not for one. */
  public WorkerSetup allTenants() {
    handlers.acrossTenants();
    return this;
  }

  /**
   * Jobs of a type that it has no handler for, and that were enqueued so long ago, are dead
   * letters: nobody knows them any more, a renamed type say. Never, unless set: they are handed
   * back, for a minute at first and an hour in the end, since another worker may know them.
   */
  public WorkerSetup unknownTypesDeadAfter(Duration time) {
    unknownDeadAfter = Optional.of(Limits.delay("time", time));
    return this;
  }

  /** As which it claims; 1 to {@value Limits#WORKER_BYTES_MAX} bytes of UTF-8. */
  public WorkerSetup name(String value) {
    name = Limits.text("name", value, 1, Limits.WORKER_BYTES_MAX);
    return this;
  }

  /**
   * How much it runs at a time, in weight of jobs: twice as much as there are processors unless
   * set. Heavier jobs are not for it.
   */
  public WorkerSetup concurrency(int weight) {
    concurrency = checked("concurrency", weight);
    return this;
  }

  /**
   * Claims more jobs when less than this weight is running, and then as many as it can run: fewer
   * claims, of more jobs each. Whenever there is room, unless set.
   */
  public WorkerSetup minConcurrency(int weight) {
    minConcurrency = OptionalInt.of(checked("minConcurrency", weight));
    return this;
  }

  static int checked(String parameter, int weight) {
    return (int) Limits.inRange(parameter, weight, 1, Limits.WEIGHT_MAX);
  }

  /** How long its leases last until they are lengthened; else as the job or its queue says. */
  public WorkerSetup leaseDuration(Duration value) {
    leaseDuration = Optional.of(Limits.lease("leaseDuration", value));
    return this;
  }

  /**
   * Runs handlers here, for example on virtual threads, and not on threads of its own. It is not
   * shut down with the worker. What it refuses is handed back, and tried again after a second; so
   * is what it has taken and not begun within twice the lease, but at least 15 s.
   */
  public WorkerSetup executor(Executor value) {
    executor = Optional.of(Objects.requireNonNull(value, "executor"));
    return this;
  }

  /** Calls this around every handler; the one that is named first is the outermost. */
  public WorkerSetup use(Middleware value) {
    middlewares.add(Objects.requireNonNull(value, "middleware"));
    return this;
  }

  /** Tells this what it does. */
  public WorkerSetup listener(WorkerListener value) {
    listeners.add(Objects.requireNonNull(value, "listener"));
    return this;
  }

  /**
   * How the log is told of attempts that failed and will be tried again: {@link RetryLog#WARN}
   * unless set. An {@link Error} is told as one, with its stack, whatever is set.
   */
  public WorkerSetup retryLog(RetryLog value) {
    retryLog = Objects.requireNonNull(value, "retryLog");
    return this;
  }

  /**
   * Stops the worker when the JVM shuts down, with this grace, before the queues are closed: 5 s
   * unless set. If {@link Worker#stop} is called as well, its grace holds unless this was set. What
   * has not ended a second after it was interrupted counts as a start that failed.
   */
  public WorkerSetup stopAtShutdown(Duration grace) {
    shutdownGrace = Optional.of(Limits.delay("grace", grace));
    return this;
  }

  /** How others may look at the running worker. That of a {@link WorkerDriver} is not looked at. */
  public WorkerSetup management(Management value) {
    management = Objects.requireNonNull(value, "management");
    return this;
  }

  /**
   * The worker begins.
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

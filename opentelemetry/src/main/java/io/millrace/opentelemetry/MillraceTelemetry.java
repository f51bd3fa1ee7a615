package io.millrace.opentelemetry;

import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueues;
import io.millrace.api.JobType;
import io.millrace.worker.WorkerSetup;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Spans and metrics of jobs: who enqueued a job, when it was run, how often, and what became of it.
 * Any thread may use it; one is enough for all engines and workers of a program.
 *
 * <pre>{@code
 * MillraceTelemetry telemetry = MillraceTelemetry.of(openTelemetry);
 * telemetry.queues(engine).enqueue(MAIL, "ada");
 * telemetry.trace(Worker.on(engine)).handle(MAIL, (mail, job) -> send(mail)).start();
 * }</pre>
 *
 * <p>The context of whoever enqueues a job is kept in the job's headers, by the propagators of the
 * {@code OpenTelemetry}: W3C's are {@code traceparent}, of 66 bytes with its name, and {@code
 * tracestate} and {@code baggage} if there are any. A job whose headers have no room for them is
 * enqueued without.
 *
 * <p>Spans end on threads of the engine, too. So what exports them must not keep these waiting: the
 * SDK's batch processor does not, its simple one does.
 */
public final class MillraceTelemetry {

  /** The value of {@code messaging.system}. */
  public static final String SYSTEM = "millrace";

  /** The value that stands for all others where an attribute of metrics has too many. */
  public static final String OTHER = "_OTHER";

  private final Signals signals;
  private final JobSpans jobs;

  MillraceTelemetry(Signals signals) {
    this.signals = signals;
    this.jobs = new JobSpans(signals);
  }

  /** Returns the telemetry that goes to this place, with the default options. */
  public static MillraceTelemetry of(OpenTelemetry to) {
    return of(to, UnaryOperator.identity());
  }

  /**
   * Returns the telemetry that goes to this place.
   *
   * @param options given the default options, answers those that hold
   * @throws IllegalArgumentException the function loses some of its changes
   */
  public static MillraceTelemetry of(OpenTelemetry to, UnaryOperator<TelemetryOptions> options) {
    return of(to, options, System::nanoTime);
  }

  static MillraceTelemetry of(
      OpenTelemetry to, UnaryOperator<TelemetryOptions> options, LongSupplier nanoTime) {
    Objects.requireNonNull(to, "openTelemetry");
    TelemetryOptions changed = TelemetryOptions.DEFAULT.changed(options);
    boolean isMessaging = changed.conventions().areMessaging(System::getenv, System::getProperty);
    return new MillraceTelemetry(new Signals(to, changed, isMessaging, nanoTime));
  }

  /**
   * Returns the calls that enqueue, claim and end jobs of these queues, each with a span of its
   * own. Of no use when the queues are closed.
   */
  public TracedQueues queues(JobQueues queues) {
    return new TracedQueues(signals, queues);
  }

  /**
   * Lets the worker make a span of each run of a job, named {@code process} and the queue: from the
   * call of the handler until the job's end is committed. It has a link to the span that the job
   * was enqueued in, if the job carries one, and it is the current span in the handler and in
   * middlewares that are added later.
   *
   * <p>The attribute {@code millrace.outcome} tells what became of the job, as {@link
   * io.millrace.worker.JobRunEnd.Outcome} does; a span of an attempt that failed has the status of
   * an error.
   *
   * @return the same setup
   */
  public WorkerSetup trace(WorkerSetup setup) {
    return setup.use(jobs).listener(jobs);
  }

  /**
   * Returns a function that puts the context which is current now into the headers of jobs: for
   * jobs that {@link #queues} does not enqueue, such as those of transactions, of batches and of
   * {@code Next.then}. They have no span of their own, and so whoever runs them has a link to the
   * span that is current now.
   *
   * <pre>{@code
   * queues.inTransaction(tx -> tx.enqueue(MAIL, "ada", telemetry.inject()));
   * }</pre>
   *
   * <p>Call it for each job, and not for {@link JobType#defaults}: these would carry the context of
   * the moment when the type was made. Jobs that carry a context are left as they are, and so are
   * those whose headers have no room.
   */
  public UnaryOperator<EnqueueOptions> inject() {
    Context now = Context.current();
    return options -> signals.headers.with(now, options);
  }
}

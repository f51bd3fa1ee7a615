package io.millrace.opentelemetry;

import io.millrace.api.Wake;
import io.millrace.opentelemetry.Figures.Call;
import io.millrace.worker.JobContext;
import io.millrace.worker.JobRunEnd;
import io.millrace.worker.JobRunEnd.Outcome;
import io.millrace.worker.Middleware;
import io.millrace.worker.WorkerListener;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The spans of jobs that a worker runs. A span begins when the worker begins the run, and ends when
 * the job's end is committed, for only then is known what became of the job. In between it is the
 * current one, as long as the handler runs.
 *
 * <p>Called on the threads of handlers, and where the worker tells its listeners. What is thrown
 * here before or after a handler goes to the worker's log, and the job goes on without a span.
 */
final class JobSpans implements Middleware, WorkerListener {

  /** The name of the event that the handler has returned and the job's end is asked for. */
  static final String SETTLE = "settle";

  private static final class Run {
    final Context context;
    final Span span;
    volatile boolean wasDelivered;

    Run(Context context, Span span) {
      this.context = context;
      this.span = span;
    }
  }

  private final Signals signals;

  /**
   * The runs that have begun. A job that is taken from its run at the moment when it begins has
   * been told to have ended before: nobody would ever remove it, so the keys are held weakly.
   */
  private final Map<JobContext, Run> runs = Collections.synchronizedMap(new WeakHashMap<>());

  JobSpans(Signals signals) {
    this.signals = signals;
  }

  @Override
  public void started(JobContext job) {
    Context sent = signals.headers.context(job.headers());
    SpanBuilder builder =
        signals
            .span(Operation.PROCESS, job.queue())
            .setAttribute(signals.names.jobId, job.jobId().toString())
            .setAttribute(signals.names.worker, job.worker())
            .setAttribute(Names.TYPE, job.type())
            .setAttribute(Names.ATTEMPT, (long) job.attempt())
            .setAttribute(Names.WAKE, word(job.wake()));
    if (signals.options.isInSameTrace()) {
      builder.setParent(sent);
    } else {
      builder.setNoParent();
      SpanContext producer = Span.fromContext(sent).getSpanContext();
      if (producer.isValid()) {
        builder.addLink(producer);
      }
    }
    Span span = builder.startSpan();
    runs.put(job, new Run(sent.with(span), span));
  }

  @Override
  public void around(JobContext job, Rest rest) throws Exception {
    @Nullable Run run = runs.get(job);
    if (run == null) {
      rest.proceed();
      return;
    }
    run.wasDelivered = true;
    Scope current = run.context.makeCurrent();
    try {
      rest.proceed();
    } finally {
      current.close();
      run.span.addEvent(SETTLE);
    }
  }

  @Override
  public void ended(JobContext job, JobRunEnd end) {
    @Nullable Run run = runs.remove(job);
    if (run == null) {
      return;
    }
    try {
      @Nullable String error = error(end);
      run.span.setAttribute(Names.OUTCOME, end.outcome().name().toLowerCase(Locale.ROOT));
      if (error != null) {
        run.span.setAttribute(Names.ERROR, error).setStatus(StatusCode.ERROR);
      }
      end.thrown().ifPresent(run.span::recordException);
      if (run.wasDelivered) {
        Call call = new Call(Operation.PROCESS, job.queue(), error);
        signals.figures.consumed(call, 1, run.context);
        signals.figures.run(call, end.ran().toNanos(), run.context);
      }
    } finally {
      run.span.end();
    }
  }

  /**
   * Returns the kind of error of an attempt that failed, and of one whose end is not what its
   * handler wanted; null for all others, also for jobs that are handed back because of an
   * exception.
   */
  private static @Nullable String error(JobRunEnd end) {
    Outcome outcome = end.outcome();
    boolean isFailed = outcome == Outcome.RETRIED || outcome == Outcome.DIED;
    if (isFailed) {
      return end.thrown().map(Failure::name).orElse(MillraceTelemetry.OTHER);
    }
    return outcome == Outcome.LOST || outcome == Outcome.UNKNOWN
        ? outcome.name().toLowerCase(Locale.ROOT)
        : null;
  }

  private static String word(Wake wake) {
    if (wake instanceof Wake.First) {
      return "first";
    } else if (wake instanceof Wake.Retry) {
      return "retry";
    } else if (wake instanceof Wake.Slept) {
      return "slept";
    } else if (wake instanceof Wake.Signalled) {
      return "signalled";
    } else if (wake instanceof Wake.AfterBatch) {
      return "after_batch";
    }
    return "timed_out";
  }
}

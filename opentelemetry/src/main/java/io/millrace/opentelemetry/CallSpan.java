package io.millrace.opentelemetry;

import io.millrace.api.EnqueueResult;
import io.millrace.api.Enqueued;
import io.millrace.api.JobId;
import io.millrace.api.Lease;
import io.millrace.api.QueueName;
import io.millrace.api.Result;
import io.millrace.opentelemetry.Figures.Call;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The span of one call, from before it until its answer is there. Begun on the caller's thread;
 * ended on any, once.
 *
 * <p>Whatever is thrown while it begins or ends is logged and goes no further. When it ends, the
 * call has had its effect, and a caller who took it for failed would enqueue a second job.
 */
final class CallSpan {

  private static final Logger LOG = LoggerFactory.getLogger(CallSpan.class);

  private final Signals signals;
  private final Operation operation;
  private final @Nullable QueueName queue;
  private final Span span;
  private final Context context;
  private final long beganNs;

  CallSpan(Signals signals, Operation operation, @Nullable QueueName queue, SpanBuilder span) {
    this.signals = signals;
    this.operation = operation;
    this.queue = queue;
    this.span = started(span);
    this.context = Context.current().with(this.span);
    this.beganNs = signals.nanoTime.getAsLong();
  }

  private Span started(SpanBuilder builder) {
    try {
      return builder.startSpan();
    } catch (RuntimeException e) {
      LOG.warn("a call has no span: operation={}", operation.word, e);
      return Span.getInvalid();
    }
  }

  /** Returns the caller's context with this span, for the jobs that the call enqueues. */
  Context context() {
    return context;
  }

  /** Ends the span of a call that threw. */
  void failed(Throwable thrown, int jobCount) {
    Throwable cause = Failure.causeOf(thrown);
    end(
        () -> {
          span.recordException(cause);
          Call call = told(Failure.name(cause));
          if (operation == Operation.ENQUEUE) {
            signals.figures.sent(call, jobCount, context);
          }
        });
  }

  /** Ends the span of a call that enqueued one job, or did not. */
  void offered(EnqueueResult result) {
    end(
        () -> {
          @Nullable String error = null;
          if (result instanceof Enqueued enqueued) {
            span.setAttribute(signals.names.jobId, enqueued.jobId().toString());
            span.setAttribute(Names.ENQUEUED, enqueued.kind().name().toLowerCase(Locale.ROOT));
          } else if (result instanceof EnqueueResult.Refused refused) {
            error = Failure.name(refused);
          }
          signals.figures.sent(told(error), 1, context);
        });
  }

  /** Ends the span of a call that offered many jobs, of which the queue may have refused some. */
  void offered(List<EnqueueResult> results) {
    end(
        () -> {
          @Nullable String error = null;
          int refusedCount = 0;
          for (EnqueueResult result : results) {
            if (result instanceof EnqueueResult.Refused refused) {
              error = Failure.name(refused);
              refusedCount++;
            }
          }
          if (refusedCount > 0) {
            span.setAttribute(Names.REFUSED, (long) refusedCount);
          }
          signals.figures.sent(told(error), refusedCount, context);
          Call sent = new Call(operation, queue, null);
          signals.figures.sent(sent, results.size() - refusedCount, context);
        });
  }

  /** Ends the span of a call that claimed jobs. */
  void claimed(List<Lease> leases) {
    end(
        () -> {
          span.setAttribute(signals.names.jobCount, (long) leases.size());
          leases.forEach(lease -> link(lease.headers()));
          signals.figures.consumed(told(null), leases.size(), context);
        });
  }

  /** Ends the span of a call that ended a lease, or found it ended. */
  void settled(Result<?> result) {
    end(
        () -> {
          String word = Failure.word(result);
          span.setAttribute(Names.OUTCOME, word);
          told(result.isDone() ? null : word);
        });
  }

  /** Ends the span of a call that submitted a job, or found one that has its unique key. */
  void submitted(JobId id) {
    end(
        () -> {
          span.setAttribute(signals.names.jobId, id.toString());
          signals.figures.sent(told(null), 1, context);
        });
  }

  private void link(Map<String, String> headers) {
    SpanContext producer = signals.headers.span(headers);
    if (producer.isValid()) {
      span.addLink(producer);
    }
  }

  /** Tells the span and the metrics how the call ended. */
  private Call told(@Nullable String error) {
    if (error != null) {
      span.setAttribute(Names.ERROR, error).setStatus(StatusCode.ERROR);
    }
    Call call = new Call(operation, queue, error);
    signals.figures.operation(call, signals.nanoTime.getAsLong() - beganNs, context);
    return call;
  }

  private void end(Runnable notes) {
    try {
      try {
        notes.run();
      } finally {
        span.end();
      }
    } catch (RuntimeException e) {
      LOG.warn("the span of a call was not told: operation={}", operation.word, e);
    }
  }
}

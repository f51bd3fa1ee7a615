package io.millrace.opentelemetry;

import io.millrace.api.QueueName;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The parts of one telemetry: where spans and metrics go, under which names. Any thread. */
final class Signals {

  private static final String SCOPE = "io.millrace.opentelemetry";

  final Headers headers;
  final Names names;
  final Figures figures;
  final TelemetryOptions options;
  final LongSupplier nanoTime;
  private final Tracer tracer;

  Signals(OpenTelemetry to, TelemetryOptions options, boolean isMessaging, LongSupplier nanoTime) {
    this.options = options;
    this.nanoTime = nanoTime;
    headers = new Headers(to.getPropagators().getTextMapPropagator());
    names = isMessaging ? Names.MESSAGING : Names.OWN;
    tracer = to.getTracer(SCOPE);
    OpenTelemetry metered = isMessaging ? to : OpenTelemetry.noop();
    figures = new Figures(metered.getMeter(SCOPE), options.queueCountMax());
  }

  /** Returns a span of the operation that is about to begin, with what is known of it before. */
  SpanBuilder span(Operation operation, @Nullable QueueName queue) {
    String name = queue == null ? operation.word : operation.word + " " + queue.name();
    SpanBuilder span = tracer.spanBuilder(name).setSpanKind(operation.kind);
    if (names == Names.MESSAGING) {
      span.setAttribute(Names.SYSTEM, MillraceTelemetry.SYSTEM)
          .setAttribute(Names.OPERATION, operation.word)
          .setAttribute(Names.OPERATION_TYPE, operation.type);
    }
    if (queue != null) {
      span.setAttribute(names.queue, queue.name());
      if (!queue.tenant().isEmpty()) {
        span.setAttribute(Names.TENANT, queue.tenant());
      }
    }
    return span;
  }
}

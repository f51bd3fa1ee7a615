package io.millrace.opentelemetry;

import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.test.TestEngine;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** An engine in virtual time, and an SDK that keeps spans and metrics in memory. */
final class TelemetryRig implements AutoCloseable {

  static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  final AtomicLong nowNs = new AtomicLong();
  final TestEngine engine = TestEngine.create();
  final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  final InMemorySpanExporter spans = InMemorySpanExporter.create();
  final OpenTelemetry sdk = sdk(SimpleSpanProcessor.create(spans));
  final MillraceTelemetry telemetry = with(options -> options);

  OpenTelemetrySdk sdk(SpanProcessor processor) {
    return OpenTelemetrySdk.builder()
        .setTracerProvider(SdkTracerProvider.builder().addSpanProcessor(processor).build())
        .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
        .setPropagators(
            ContextPropagators.create(
                TextMapPropagator.composite(
                    W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
        .build();
  }

  /** Returns a telemetry with the conventions for messaging, unless the options say otherwise. */
  MillraceTelemetry with(UnaryOperator<TelemetryOptions> options) {
    return to(sdk, options);
  }

  MillraceTelemetry to(OpenTelemetry place, UnaryOperator<TelemetryOptions> options) {
    return MillraceTelemetry.of(
        place, given -> options.apply(given.conventions(Conventions.MESSAGING)), nowNs::get);
  }

  TracedQueues traced() {
    return telemetry.queues(engine);
  }

  /** Does the work inside of a span of the program, which it returns. */
  SpanContext within(Runnable work) {
    Span span = sdk.getTracer("program").spanBuilder("request").startSpan();
    Scope scope = span.makeCurrent();
    try {
      work.run();
    } finally {
      scope.close();
      span.end();
    }
    return span.getSpanContext();
  }

  /** Returns the ended spans of this name, in the order of their ends. */
  List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  SpanData only(String name) {
    List<SpanData> all = named(name);
    if (all.size() != 1) {
      throw new AssertionError("not one span: name=" + name + ", there=" + spanNames());
    }
    return all.get(0);
  }

  List<String> spanNames() {
    return spans.getFinishedSpanItems().stream().map(SpanData::getName).toList();
  }

  /** Returns the ids of the spans that a span has links to. */
  static List<String> links(SpanData span) {
    return span.getLinks().stream()
        .map(LinkData::getSpanContext)
        .map(SpanContext::getSpanId)
        .toList();
  }

  static Map<String, Object> attributes(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .collect(Collectors.toMap(entry -> entry.getKey().getKey(), Map.Entry::getValue));
  }

  static String text(SpanData span, String name) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
  }

  /** Returns the points of a metric. */
  List<PointData> points(String name) {
    Collection<MetricData> all = metrics.collectAllMetrics();
    return all.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getData().getPoints().stream())
        .map(point -> (PointData) point)
        .toList();
  }

  @Override
  public void close() {
    engine.close();
  }
}

package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.JobEngine;
import io.millrace.worker.Worker;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TracingTest {

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetry sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();

  private List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  @Test
  void traced_jobs_haveLinksToWhereTheyWereEnqueued() throws InterruptedException {
    List<Worker> workers = new ArrayList<>();
    CountDownLatch sent = new CountDownLatch(2);
    Span request = sdk.getTracer("program").spanBuilder("request").startSpan();
    try (JobEngine engine = JobEngine.open("memory:tracing")) {
      Runnable program = () -> workers.add(Tracing.traced(engine, sdk, mail -> sent.countDown()));
      Context.root().with(request).wrap(program).run();
      sent.await();
      workers.forEach(Worker::close);
    }

    assertThat(
            named("process mail").stream()
                .flatMap(span -> span.getLinks().stream())
                .map(link -> link.getSpanContext().getSpanId()))
        .containsExactlyInAnyOrder(
            named("enqueue mail").get(0).getSpanId(), request.getSpanContext().getSpanId());
  }

  @Test
  void withOptions_always_hasThem() {
    assertThat(Tracing.withOptions(sdk)).isNotNull();
  }
}

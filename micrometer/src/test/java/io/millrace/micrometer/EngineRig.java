package io.millrace.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.MillraceException;
import io.millrace.api.EngineOptions;
import io.millrace.api.EnqueueOptions;
import io.millrace.api.JobQueue;
import io.millrace.engine.JobEngine;
import io.millrace.spi.StoreOptions;
import io.millrace.spi.testkit.Fault;
import io.millrace.spi.testkit.FaultyStore;
import io.millrace.spi.testkit.StoreCall;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;

/** An engine, and two registries in which a second passes when the test says so. */
final class EngineRig implements AutoCloseable {

  final MockClock clock = new MockClock();
  final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
  final FaultyStore machine = new FaultyStore(1);
  final JobEngine engine =
      JobEngine.open(
          machine,
          StoreOptions.of(Path.of("metrics")),
          EngineOptions.DEFAULT.reopenAfter(List.of()).management(EngineOptions.Management.OFF));

  MillraceMetrics bind() {
    MillraceMetrics metrics = MillraceMetrics.of(engine, "orders");
    metrics.bindTo(registry);
    metrics.bindTo(prometheus);
    return metrics;
  }

  JobQueue queue(String name) {
    return engine.queue(name);
  }

  /** A job that is enqueued, claimed and completed. */
  void work(JobQueue queue, String type) {
    queue.enqueue(new byte[0], EnqueueOptions.DEFAULT.type(type));
    queue.claim("worker", Duration.ofSeconds(30)).orElseThrow().complete().orThrow();
  }

  /** Lets what was read be too old, and reads all of it anew. */
  void pass() {
    clock.add(Duration.ofSeconds(1));
    value("millrace.queues");
    prometheus.scrape();
  }

  /** The only value of the meter that has these tags. */
  double value(String name, String... tags) {
    return registry.get(name).tags(tags).meter().measure().iterator().next().getValue();
  }

  /** The values that a tag of the meters of this name has. */
  Set<String> tags(String name, String tag) {
    return registry.find(name).meters().stream()
        .map(meter -> String.valueOf(meter.getId().getTag(tag)))
        .collect(Collectors.toSet());
  }

  List<String> names() {
    return registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList();
  }

  void poison() {
    machine.failNext(StoreCall.WRITE, Fault.BEFORE);
    Assertions.assertThatThrownBy(() -> queue("mail").enqueue(new byte[0]))
        .isInstanceOf(MillraceException.class);
  }

  @Override
  public void close() {
    try {
      engine.close();
    } catch (MillraceException e) { // a store that has failed says so once more
      Assertions.assertThat(engine.poison()).isPresent();
    }
  }
}

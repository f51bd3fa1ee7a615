package io.millrace.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.test.TestEngine;
import io.millrace.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerMetricsTest {

  private static final JobType<String> MAIL = JobType.of("mail", Codec.TEXT);

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final TestEngine engine = TestEngine.create();
  private final List<Double> seen = new ArrayList<>();

  @AfterEach
  void close() {
    engine.close();
  }

  private Worker worker() {
    return engine
        .worker()
        .name("mailer")
        .concurrency(3)
        .handle(
            MAIL,
            (mail, job) -> {
              clock.add(Duration.ofSeconds(7));
              seen.add(value("busy"));
              seen.add(value("longest"));
            })
        .start();
  }

  private double value(String name) {
    return registry
        .get("millrace.worker." + name)
        .tags("engine", "orders", "worker", "mailer")
        .meter()
        .measure()
        .iterator()
        .next()
        .getValue();
  }

  @Test
  void figures_whileAHandlerRunsAndAfter_areTheWorkers() {
    clock.add(Duration.ofMillis(TestEngine.START_DEFAULT.toEpochMilli() - clock.wallTime()));
    Worker worker = worker();
    WorkerMetrics.of(worker, "orders").bindTo(registry);
    engine.enqueue(MAIL, "Ada");

    engine.run();
    worker.pause();

    assertThat(seen).containsExactly(1.0, 7.0);
    assertThat(value("busy")).isZero();
    assertThat(value("longest")).isZero();
    assertThat(value("capacity")).isEqualTo(3);
    assertThat(value("paused")).isEqualTo(1);
    assertThat(value("unknown")).isZero();
  }

  @Test
  void meters_ofAWorkerThatStopped_goWhenTheyAreLookedAt() {
    Worker worker = worker();
    WorkerMetrics.of(worker, "orders").bindTo(registry);
    worker.close();

    assertThat(value("busy")).isNaN();

    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void close_always_removesTheMeters() {
    WorkerMetrics metrics = WorkerMetrics.of(worker(), "orders");
    metrics.bindTo(registry);

    metrics.close();

    assertThat(registry.getMeters()).isEmpty();
  }
}

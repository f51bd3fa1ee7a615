package io.millrace.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Codec;
import io.millrace.api.JobType;
import io.millrace.engine.JobEngine;
import io.millrace.micrometer.MillraceMetrics;
import io.millrace.worker.Worker;
import org.junit.jupiter.api.Test;

class OperatingTest {

  @Test
  void bind_engineAndWorker_areBothTold() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    JobType<String> mail = JobType.of("mail", Codec.TEXT);
    try (JobEngine engine = JobEngine.open("memory:operating")) {
      Worker worker = Worker.on(engine).handle(mail, (text, job) -> {}).concurrency(3).start();

      MillraceMetrics metrics = Operating.bind(engine, worker, registry);

      assertThat(registry.get("millrace.worker.capacity").tag("engine", "orders").gauge().value())
          .isEqualTo(3);
      assertThat(registry.get("millrace.status").tag("status", "up").gauge().value()).isEqualTo(1);
      metrics.close();
      worker.close();
    }
  }
}

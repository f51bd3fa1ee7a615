package io.millrace.micronaut;

import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.millrace.api.EngineHealth;
import io.millrace.engine.JobEngine;
import jakarta.inject.Singleton;
import java.util.Map;
import org.reactivestreams.Publisher;

// region micronaut: health
@Singleton
class JobHealth implements HealthIndicator {

  private final JobEngine engine;

  JobHealth(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    EngineHealth.Status status = engine.health().status();
    boolean isUp = status == EngineHealth.Status.UP;
    return Publishers.just(
        HealthResult.builder("jobs", isUp ? HealthStatus.UP : HealthStatus.DOWN)
            .details(Map.of("engine", status))
            .build());
  }
}
// endregion

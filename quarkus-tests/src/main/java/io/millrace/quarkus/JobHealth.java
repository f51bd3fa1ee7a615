package io.millrace.quarkus;

import io.millrace.api.EngineHealth;
import io.millrace.engine.JobEngine;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

// region quarkus: health
@Readiness
@ApplicationScoped
class JobHealth implements HealthCheck {

  @Inject JobEngine engine;

  @Override
  public HealthCheckResponse call() {
    EngineHealth.Status status = engine.health().status();
    return HealthCheckResponse.named("jobs")
        .status(status == EngineHealth.Status.UP)
        .withData("engine", status.name())
        .build();
  }
}
// endregion

package io.millrace.engine.jmx;

import io.millrace.api.EngineHealth;
import io.millrace.management.HealthSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An engine's health in the shape that JMX knows. */
record HealthShown(EngineHealth health) implements HealthSnapshot {

  @Override
  public String getStatus() {
    return health.status().name();
  }

  @Override
  public long getSinceMs() {
    return health.since().toEpochMilli();
  }

  @Override
  public String getReason() {
    return health.reason();
  }

  @Override
  public long getClockDivergenceMs() {
    return health.clockDivergence().toMillis();
  }

  @Override
  public @Nullable String getLastError() {
    return health.lastError().map(EngineHealth.Failure::error).orElse(null);
  }

  @Override
  public @Nullable Long getLastErrorAtMs() {
    return health.lastError().map(failure -> failure.at().toEpochMilli()).orElse(null);
  }

  @Override
  public List<String> getWarnings() {
    return health.warnings();
  }
}

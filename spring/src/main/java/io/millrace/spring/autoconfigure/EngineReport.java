package io.millrace.spring.autoconfigure;

import io.millrace.api.EngineHealth;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of an engine in the words of Spring Boot's health endpoint, for the health indicators
 * of both generations. Immutable.
 *
 * @param status the code: {@code UP}, {@code OUT_OF_SERVICE} while the store is full, else {@code
 *     DOWN}
 * @param details the engine's own status, the reason, and what an operator should look at
 */
public record EngineReport(String status, Map<String, Object> details) {

  public EngineReport {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
  }

  /** Returns the report of an engine's health. */
  public static EngineReport of(EngineHealth health) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("engine", health.status().name());
    details.put("since", health.since().toString());
    if (!health.reason().isEmpty()) {
      details.put("reason", health.reason());
    }
    if (!health.warnings().isEmpty()) {
      details.put("warnings", health.warnings());
    }
    health.lastError().ifPresent(error -> details.put("lastError", error.error()));
    return new EngineReport(code(health.status()), details);
  }

  private static String code(EngineHealth.Status status) {
    return switch (status) {
      case UP -> "UP";
      case FULL -> "OUT_OF_SERVICE";
      case POISONED, NOT_OWNER, CLOSED -> "DOWN";
    };
  }
}

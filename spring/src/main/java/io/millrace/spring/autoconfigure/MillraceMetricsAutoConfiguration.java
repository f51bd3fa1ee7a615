package io.millrace.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.engine.JobEngine;
import io.millrace.micrometer.MillraceMetrics;
import io.millrace.micrometer.WorkerMetrics;
import io.millrace.worker.Worker;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The meters of engine and worker, if millrace-micrometer is there: Spring Boot binds them to the
 * application's registries.
 */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnClass({MeterRegistry.class, MillraceMetrics.class})
@ConditionalOnSingleCandidate(JobEngine.class)
public final class MillraceMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  MillraceMetrics millraceMetrics(
      JobEngine engine, MillraceProperties properties, Environment environment) {
    return MillraceMetrics.of(engine, name(properties, environment));
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Worker.class)
  WorkerMetrics millraceWorkerMetrics(
      Worker worker, MillraceProperties properties, Environment environment) {
    return WorkerMetrics.of(worker, name(properties, environment));
  }

  /** Returns the value of the tag {@code engine}. */
  private static String name(MillraceProperties properties, Environment environment) {
    return Objects.requireNonNullElseGet(
        properties.name(), () -> environment.getProperty("spring.application.name", "millrace"));
  }
}

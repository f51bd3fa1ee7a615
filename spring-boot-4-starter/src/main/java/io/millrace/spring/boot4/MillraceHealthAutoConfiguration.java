package io.millrace.spring.boot4;

import io.millrace.engine.JobEngine;
import io.millrace.spring.autoconfigure.EngineReport;
import io.millrace.spring.autoconfigure.MillraceAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the engine, as {@code millrace} of the health endpoint. */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("millrace")
@ConditionalOnSingleCandidate(JobEngine.class)
public final class MillraceHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "millraceHealthIndicator")
  HealthIndicator millraceHealthIndicator(JobEngine engine) {
    return () -> {
      EngineReport report = EngineReport.of(engine.health());
      return Health.status(report.status()).withDetails(report.details()).build();
    };
  }
}

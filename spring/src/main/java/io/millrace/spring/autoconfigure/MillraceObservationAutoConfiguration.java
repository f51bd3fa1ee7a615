package io.millrace.spring.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Observations of jobs, if the application has an {@link ObservationRegistry}. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public final class MillraceObservationAutoConfiguration {

  /** Comes first, so that other middlewares are inside of the observation. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  JobObservations millraceJobObservations(ObservationRegistry registry) {
    return new JobObservations(registry);
  }
}

package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator's endpoint {@code millrace}, if it is exposed. */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(endpoint = MillraceEndpoint.class)
public final class MillraceEndpointAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(JobQueues.class)
  MillraceEndpoint millraceEndpoint(JobQueues queues) {
    return new MillraceEndpoint(queues);
  }
}

package io.millrace.spring.test;

import io.millrace.api.JobQueues;
import io.millrace.spring.autoconfigure.MillraceAutoConfiguration;
import io.millrace.test.TestEngine;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The engine of a {@link MillraceTest}, in place of the application's. A test that wants another
 * one, with another start or other options, has a bean of its own.
 */
@AutoConfiguration(before = MillraceAutoConfiguration.class)
public final class TestEngineAutoConfiguration {

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(JobQueues.class)
  TestEngine millraceTestEngine() {
    return TestEngine.create().strict();
  }
}

package io.millrace.spring.contract;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Application contexts of all auto-configurations that are on the class path. */
final class Contexts {

  private static final AtomicInteger NAMES = new AtomicInteger();

  /**
   * The auto-configuration that most tests would wait for in vain, where each generation has it.
   */
  private static final String WITHOUT_DATABASE =
      "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc."
          + "DataSourceAutoConfiguration,"
          + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

  private Contexts() {}

  /** An application without beans of its own. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Empty {}

  /** Returns contexts without a location. */
  static ApplicationContextRunner bare(Class<?>... components) {
    return new ApplicationContextRunner()
        .withUserConfiguration(Empty.class)
        .withUserConfiguration(components)
        .withPropertyValues("spring.application.name=shop", WITHOUT_DATABASE);
  }

  /** Returns contexts with a store in memory. */
  static ApplicationContextRunner with(Class<?>... components) {
    return bare(components)
        .withPropertyValues("millrace.location=memory:spring-" + NAMES.incrementAndGet());
  }
}

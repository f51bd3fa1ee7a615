package io.millrace.spring.autoconfigure;

import io.millrace.api.Codec;
import io.millrace.api.JobQueues;
import io.millrace.engine.JobEngine;
import io.millrace.spring.AfterCommit;
import io.millrace.spring.EngineCustomizer;
import io.millrace.spring.JobTypes;
import io.millrace.spring.PayloadCodecs;
import io.millrace.spring.WorkerCustomizer;
import io.millrace.worker.Middleware;
import io.millrace.worker.Schedules;
import io.millrace.worker.Worker;
import io.millrace.worker.WorkerListener;
import java.lang.reflect.Type;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The engine, its worker and its schedules. Each bean steps aside for one of the application's own;
 * all of them use the application's {@link JobQueues}, whichever these are.
 */
@AutoConfiguration
@EnableConfigurationProperties(MillraceProperties.class)
public final class MillraceAutoConfiguration {

  private static final String NAME_OF_APPLICATION = "spring.application.name";

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(JobQueues.class)
  JobEngine millraceEngine(
      MillraceProperties properties, ObjectProvider<EngineCustomizer> customizers) {
    return new OpenEngine(properties, customizers.orderedStream().toList()).open();
  }

  @Bean
  ConfiguredQueues millraceConfiguredQueues(JobQueues queues, MillraceProperties properties) {
    return new ConfiguredQueues(queues, properties);
  }

  @Bean
  @ConditionalOnMissingBean
  JobTypes millraceJobTypes(ObjectProvider<PayloadCodecs> codecs) {
    return new JobTypes(codecs.getIfAvailable(() -> MillraceAutoConfiguration::noCodec));
  }

  private static Codec<?> noCodec(Type type) {
    throw new IllegalArgumentException(
        "there is no JSON mapper among the beans, nor another bean of type PayloadCodecs, to write"
            + " values with: type="
            + type.getTypeName());
  }

  @Bean
  @ConditionalOnMissingBean
  Schedules millraceSchedules(JobQueues queues) {
    return Schedules.of(queues);
  }

  @Bean
  HandlerMethods millraceHandlerMethods(ConfigurableListableBeanFactory beans, JobTypes types) {
    return new HandlerMethods(beans, types);
  }

  @Bean
  DeclaredSchedules millraceDeclaredSchedules(
      Schedules schedules,
      HandlerMethods methods,
      MillraceProperties properties,
      Environment environment) {
    String owner =
        Objects.requireNonNullElseGet(
            properties.schedules().owner(),
            () -> environment.getProperty(NAME_OF_APPLICATION, "application"));
    return new DeclaredSchedules(schedules, methods, owner);
  }

  @Bean
  WorkerSetups.Additions millraceWorkerAdditions(
      ObjectProvider<Middleware> middlewares,
      ObjectProvider<WorkerListener> listeners,
      ObjectProvider<WorkerCustomizer> customizers) {
    return new WorkerSetups.Additions(
        middlewares.orderedStream().toList(),
        listeners.orderedStream().toList(),
        customizers.orderedStream().toList());
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean(Worker.class)
  @ConditionalOnProperty(name = "millrace.worker.enabled", matchIfMissing = true)
  SpringWorker millraceWorker(
      JobQueues queues,
      MillraceProperties properties,
      HandlerMethods methods,
      WorkerSetups.Additions additions,
      Environment environment) {
    WorkerSetups setups = new WorkerSetups(queues, properties, methods, additions, environment);
    return new SpringWorker(setups, queues, setups.settings());
  }

  /** The beans of an application with transactions. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(TransactionSynchronization.class)
  static class Transactions {

    @Bean
    @ConditionalOnMissingBean
    AfterCommit millraceAfterCommit(JobQueues queues) {
      return new AfterCommit(queues);
    }
  }
}

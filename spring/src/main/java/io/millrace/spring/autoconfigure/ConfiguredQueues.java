package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
import io.millrace.api.QueueSettings;
import io.millrace.spring.autoconfigure.MillraceProperties.QueueProperties;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The settings of queues that properties name: stored when all beans are there, before any of them
 * works.
 */
final class ConfiguredQueues implements SmartInitializingSingleton {

  private final JobQueues queues;
  private final MillraceProperties properties;

  ConfiguredQueues(JobQueues queues, MillraceProperties properties) {
    this.queues = queues;
    this.properties = properties;
  }

  /**
   * Stores what has changed. What is stored already is not written again, so that an application
   * whose store is full can start, and work on what is there.
   *
   * @throws ConfigurationFault a value is wrong
   */
  @Override
  public void afterSingletonsInstantiated() {
    properties.queues().forEach(this::configure);
  }

  private void configure(String name, QueueProperties wanted) {
    QueueSettings stored = queues.settings(name);
    if (!QueueTexts.change(stored, name, wanted).equals(stored)) {
      queues.admin().configure(name, settings -> QueueTexts.change(settings, name, wanted));
    }
  }
}

package io.millrace.spring.autoconfigure;

import io.millrace.api.JobQueues;
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

  @Override
  public void afterSingletonsInstantiated() {
    properties
        .queues()
        .forEach(
            (name, queue) ->
                queues
                    .admin()
                    .configure(name, settings -> QueueTexts.change(settings, name, queue)));
  }
}

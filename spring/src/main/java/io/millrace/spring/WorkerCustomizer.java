package io.millrace.spring;

import io.millrace.worker.WorkerSetup;

/**
 * A bean that changes the worker beyond what properties and annotations say: handlers in code,
 * middlewares, listeners.
 */
@FunctionalInterface
public interface WorkerCustomizer {

  /**
   * Changes the setup, which has the handlers of annotations already. Called whenever the worker is
   * about to start. The worker of an application without such handlers makes the jobs of schedules
   * alone, and has been told so.
   *
   * @throws RuntimeException the worker does not start, and so does the application
   */
  void customize(WorkerSetup setup);
}

package io.millrace.spring;

import io.millrace.worker.WorkerSetup;

/**
 * A bean that changes the worker beyond what properties and annotations say: handlers in code,
 * middlewares, listeners.
 */
@FunctionalInterface
public interface WorkerCustomizer {

  /** Changes the setup. Called whenever the worker is about to start, after the handlers. */
  void customize(WorkerSetup setup);
}

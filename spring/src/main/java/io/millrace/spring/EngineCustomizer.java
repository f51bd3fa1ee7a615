package io.millrace.spring;

import io.millrace.api.EngineOptions;

/** A bean that changes the options of the engine beyond what properties say. */
@FunctionalInterface
public interface EngineCustomizer {

  /**
   * Returns the options to open the engine with. Called once, before it is opened.
   *
   * @param options what properties and the customizers before this one say
   * @throws RuntimeException the application does not start
   */
  EngineOptions customize(EngineOptions options);
}

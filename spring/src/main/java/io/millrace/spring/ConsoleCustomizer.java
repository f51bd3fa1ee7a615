package io.millrace.spring;

import io.millrace.console.ConsoleSetup;

/**
 * A bean that sets up the console beyond what properties say: how payloads are shown, who is told
 * of actions.
 */
@FunctionalInterface
public interface ConsoleCustomizer {

  /**
   * Changes the setup, which has what properties say already. Called whenever the console is about
   * to start. Address, port, path and TLS are those of the application's server.
   *
   * @throws RuntimeException the application does not start
   */
  void customize(ConsoleSetup setup);
}

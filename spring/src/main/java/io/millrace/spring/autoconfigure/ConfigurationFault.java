package io.millrace.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in properties or annotations, because of which the application does not start. Tells
 * the mistake and what to do.
 */
final class ConfigurationFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String mistake;
  private final String action;

  ConfigurationFault(String mistake, String action, @Nullable Throwable cause) {
    super(mistake + "; " + action, cause);
    this.mistake = mistake;
    this.action = action;
  }

  ConfigurationFault(String mistake, String action) {
    this(mistake, action, null);
  }

  String mistake() {
    return mistake;
  }

  String action() {
    return action;
  }
}

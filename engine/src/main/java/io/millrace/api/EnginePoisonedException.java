package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * An earlier write or sync failed, so that what is on disk is unknown: the engine takes no changes;
 * nothing happened. Reopen it.
 */
public final class EnginePoisonedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EnginePoisonedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

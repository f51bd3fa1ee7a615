package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when another owner has taken the store over, on this machine or another, so that the
 * engine takes no changes. Nothing happened. Ask the new owner, or reopen the engine when the store
 * is free.
 */
public final class NotOwnerException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public NotOwnerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

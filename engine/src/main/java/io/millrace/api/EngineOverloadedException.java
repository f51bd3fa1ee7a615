package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/** Thrown when too much is waiting already. Nothing happened. Try again later, or slow down. */
public final class EngineOverloadedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EngineOverloadedException(String message) {
    super(message);
  }

  public EngineOverloadedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

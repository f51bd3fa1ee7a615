package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/** Thrown when the engine was closed before it took up the request. Nothing happened. Stop. */
public final class EngineClosedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EngineClosedException(String message) {
    super(message);
  }

  public EngineClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

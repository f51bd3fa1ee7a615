package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/** The engine was closed before it took the request up; nothing happened. Stop. */
public final class EngineClosedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EngineClosedException(String message) {
    super(message);
  }

  public EngineClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

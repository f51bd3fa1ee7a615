package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Something keeps the engine from doing what was asked; the subclasses say what the caller should
 * do.
 */
public class MillraceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public MillraceException(String message) {
    super(message);
  }

  public MillraceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions of Millrace, the stores' among them: something keeps it from doing
 * what was asked. The subclasses say what the caller should do.
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

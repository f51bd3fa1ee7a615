package io.millrace;

import org.jspecify.annotations.Nullable;

/**
 * Something keeps Millrace from doing what was asked: the root of all exceptions of its own, the
 * stores' among them. The subclasses say what the caller should do.
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

package io.millrace.spi;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a store cannot do what was asked. The subclasses say what that means for the caller.
 */
public class StoreException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

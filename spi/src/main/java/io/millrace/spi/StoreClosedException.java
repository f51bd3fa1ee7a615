package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when the store was closed before or during the call. Nothing happened. */
public final class StoreClosedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreClosedException(String message) {
    super(message);
  }

  public StoreClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

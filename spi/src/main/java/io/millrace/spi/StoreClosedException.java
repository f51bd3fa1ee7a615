package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/** The store was closed before or during the call; nothing happened. */
public final class StoreClosedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreClosedException(String message) {
    super(message);
  }

  public StoreClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

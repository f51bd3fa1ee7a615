package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store cannot be reached now, for example because a network is down. Nothing was
 * read or opened, and nothing happened. Try again.
 */
public final class StoreUnavailableException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * The store cannot be reached now, such as for a network that is down: nothing was read or opened,
 * and nothing happened. Try again.
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

package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store has no room for a batch. Nothing of the batch happened. Free something,
 * raise the limit, or make room on the disk.
 */
public final class StoreFullException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreFullException(String message) {
    super(message);
  }

  public StoreFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

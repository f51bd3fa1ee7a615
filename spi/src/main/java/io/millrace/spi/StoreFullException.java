package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * There is no room for a batch; nothing of it happened. Free something, raise the limit, or make
 * room on the disk.
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

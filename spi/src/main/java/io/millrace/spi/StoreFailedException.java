package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * A write or sync failed with an unknown outcome. Close the store, open it again, and look at what
 * is there.
 */
public final class StoreFailedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreFailedException(String message) {
    super(message);
  }

  public StoreFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store's files are damaged, or hold less than was once durable. Nothing was
 * changed; an operator must decide.
 */
public final class StoreCorruptException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreCorruptException(String message) {
    super(message);
  }

  public StoreCorruptException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/** Thrown when another owner has taken the store over. This one will never write again. */
public final class StoreFencedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreFencedException(String message) {
    super(message);
  }

  public StoreFencedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

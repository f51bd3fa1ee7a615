package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/** The store is open elsewhere, in the process that the message names. Close it there first. */
public final class StoreLockedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreLockedException(String message) {
    super(message);
  }

  public StoreLockedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

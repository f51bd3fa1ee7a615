package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * As many views are open as a store has room for; nothing happened. Close some, or try again in a
 * moment.
 */
public final class StoreBusyException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreBusyException(String message) {
    super(message);
  }

  public StoreBusyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What a store says at its {@link StoreInfo#viewCountMax()}. */
  public static StoreBusyException tooManyViews(int viewCountMax) {
    return new StoreBusyException("too many views are open, close some: limit=" + viewCountMax);
  }
}

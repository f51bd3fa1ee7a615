package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when as many views are open as a store has room for. Nothing happened. Close some views,
 * or try again in a moment.
 */
public final class StoreBusyException extends StoreException {

  private static final long serialVersionUID = 1L;

  public StoreBusyException(String message) {
    super(message);
  }

  public StoreBusyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Creates the exception of a store that has {@link StoreInfo#viewCountMax()} views open. */
  public static StoreBusyException tooManyViews(int viewCountMax) {
    return new StoreBusyException("too many views are open, close some: limit=" + viewCountMax);
  }
}

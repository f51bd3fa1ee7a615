package io.millrace.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the folder was written by a newer version, or holds something that is not ours.
 * Nothing was touched.
 */
public final class FormatVersionException extends StoreException {

  private static final long serialVersionUID = 1L;

  public FormatVersionException(String message) {
    super(message);
  }

  public FormatVersionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

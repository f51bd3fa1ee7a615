package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a stored row is damaged. The message names its keyspace and key. An operator must
 * look.
 */
public final class CorruptDataException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public CorruptDataException(String message) {
    super(message);
  }

  public CorruptDataException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when it is unknown whether the request happened: the store failed, the time for the call
 * was over, or the thread was interrupted while it waited for the answer. Reopen the engine if it
 * is poisoned, look at what is there, and repeat what is missing.
 */
public final class OutcomeUnknownException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public OutcomeUnknownException(String message) {
    super(message);
  }

  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * An earlier write or sync failed, so that what is on disk is unknown: the engine takes no changes;
 * nothing happened. Reopen it. While it is being reopened, nothing can be read either.
 */
public final class EnginePoisonedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EnginePoisonedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

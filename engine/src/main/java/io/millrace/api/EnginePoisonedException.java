package io.millrace.api;

import io.millrace.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an earlier write or sync failed, so that the state on disk is unknown and the engine
 * takes no changes. Nothing happened. Reopen the engine. While it is being reopened, nothing can be
 * read either.
 */
public final class EnginePoisonedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public EnginePoisonedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

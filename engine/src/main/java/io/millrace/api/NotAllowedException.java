package io.millrace.api;

import io.millrace.MillraceException;

/**
 * Thrown for a call to a server that the caller's token does not allow. Nothing happened; the
 * message names the call, and the roles or queues that it needs. Ask whoever keeps the server for
 * another token.
 */
public final class NotAllowedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public NotAllowedException(String message) {
    super(message);
  }
}

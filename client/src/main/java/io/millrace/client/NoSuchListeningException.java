package io.millrace.client;

import io.millrace.MillraceException;

/** Thrown when the server does not have a listening any more. Nothing happened. */
final class NoSuchListeningException extends MillraceException {

  private static final long serialVersionUID = 1L;

  NoSuchListeningException(String message) {
    super(message);
  }
}

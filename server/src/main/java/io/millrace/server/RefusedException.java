package io.millrace.server;

/** A call that the caller's token does not allow. Nothing of it happened. */
final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message);
  }
}

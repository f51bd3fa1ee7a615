package io.millrace.cli;

/** Why a command cannot be carried out, in a sentence for whoever called it. */
final class CannotException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  CannotException(String message) {
    super(message);
  }

  CannotException(String message, Throwable cause) {
    super(message, cause);
  }
}

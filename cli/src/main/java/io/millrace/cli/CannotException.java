package io.millrace.cli;

/** Why a command cannot be carried out, in a sentence for whoever called it. */
public final class CannotException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CannotException(String message) {
    super(message);
  }

  public CannotException(String message, Throwable cause) {
    super(message, cause);
  }
}

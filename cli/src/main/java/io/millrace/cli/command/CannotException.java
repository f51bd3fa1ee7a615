package io.millrace.cli.command;

/** A command that cannot be carried out; the message is a sentence for its caller that says why. */
public final class CannotException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CannotException(String message) {
    super(message);
  }

  public CannotException(String message, Throwable cause) {
    super(message, cause);
  }
}

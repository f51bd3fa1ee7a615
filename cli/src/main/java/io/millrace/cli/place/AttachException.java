package io.millrace.cli.place;

/**
 * A running engine or worker that cannot be asked; the message is a sentence for the command's
 * caller.
 */
public final class AttachException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  AttachException(String message) {
    super(message);
  }

  AttachException(String message, Throwable cause) {
    super(message, cause);
  }
}

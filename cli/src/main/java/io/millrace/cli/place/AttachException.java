package io.millrace.cli.place;

import javax.management.InstanceNotFoundException;

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

  /** Tells whether the engine or worker has ended, though its process has not. */
  public boolean isOfEnded() {
    return getCause() instanceof InstanceNotFoundException;
  }

  /** Tells whether what was asked is wrong, and nothing has happened. */
  public boolean isOfWrongArgument() {
    return getCause() instanceof IllegalArgumentException;
  }
}

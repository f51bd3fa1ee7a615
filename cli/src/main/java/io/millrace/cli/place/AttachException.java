package io.millrace.cli.place;

/** Why a running engine cannot be asked, in a sentence for whoever called the command. */
public final class AttachException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  AttachException(String message) {
    super(message);
  }

  AttachException(String message, Throwable cause) {
    super(message, cause);
  }
}

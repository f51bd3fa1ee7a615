package io.millrace.describe;

/** A failure to read what another process tells: it is of another version. */
public final class UnknownValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownValueException(String message) {
    super(message);
  }
}

package io.millrace.describe;

/** What another process tells is not known here: it is of another version. */
public final class UnknownValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownValueException(String message) {
    super(message);
  }
}

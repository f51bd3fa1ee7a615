package io.millrace.cli.demo;

/** A demo that cannot start or go on; the message says why, and what to do about it. */
public final class DemoException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }

  DemoException(String message, Throwable cause) {
    super(message, cause);
  }
}

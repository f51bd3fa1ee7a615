package io.millrace.console.http;

/** The error for a request that is not answered as asked: it is wrong, or not allowed. */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;

  public RefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  public RefusedException(String message) {
    this(400, message);
  }

  /** Returns the status of HTTP that says so. */
  public int status() {
    return status;
  }
}

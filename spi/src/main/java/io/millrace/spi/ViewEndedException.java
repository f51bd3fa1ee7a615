package io.millrace.spi;

/**
 * Thrown by views that were open when the store had to open its files anew, after its disk had been
 * full, or lost its connection. A new view sees everything.
 */
public final class ViewEndedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public ViewEndedException(String message) {
    super(message);
  }
}

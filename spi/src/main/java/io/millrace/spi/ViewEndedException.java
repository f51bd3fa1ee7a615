package io.millrace.spi;

/**
 * The store had to open its files anew, after its disk had been full, or lost its connection; views
 * that were open then are no more. Another view sees everything.
 */
public final class ViewEndedException extends StoreException {

  private static final long serialVersionUID = 1L;

  public ViewEndedException(String message) {
    super(message);
  }
}

package io.millrace.internal.transition;

import io.millrace.spi.StoreException;

/**
 * The failure of a read after a change had begun: the batch is to be taken back, and its other
 * requests are carried out without the one that needed the read.
 */
public final class HalfDoneException extends StoreException {

  private static final long serialVersionUID = 1L;

  public HalfDoneException(StoreException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }
}

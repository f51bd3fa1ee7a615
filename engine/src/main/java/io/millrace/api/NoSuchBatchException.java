package io.millrace.api;

import io.millrace.MillraceException;

/**
 * Thrown when a batch is named that the store does not have: it was never begun there, or its
 * retention has passed. Nothing happened.
 */
public final class NoSuchBatchException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final transient BatchId id;

  /** Creates the exception for this batch. */
  public NoSuchBatchException(BatchId id) {
    super(
        "batch is not there: id="
            + id
            + "; it was never begun in this store, or its retention has passed");
    this.id = id;
  }

  /** Returns the id that was asked for. */
  public BatchId id() {
    return id;
  }
}

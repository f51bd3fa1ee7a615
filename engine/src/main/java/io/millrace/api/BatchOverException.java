package io.millrace.api;

import io.millrace.MillraceException;

/**
 * Thrown when a batch is to be started within one that takes no more, since it is over or was
 * cancelled. Nothing happened.
 */
public final class BatchOverException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final transient BatchId id;

  /** Creates the exception for the outer batch. */
  public BatchOverException(BatchId id) {
    super("batch takes no more, since it is over or cancelled: id=" + id);
    this.id = id;
  }

  /** Returns the id of the outer batch. */
  public BatchId id() {
    return id;
  }
}

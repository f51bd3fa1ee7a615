package io.millrace.api;

import io.millrace.MillraceException;

/**
 * Thrown when a request was not carried out for a reason that belongs to ordinary work. Nothing was
 * changed. It is for callers who do not want to look at a result: {@code orThrow()} of the results
 * throws it, and {@link JobQueue#enqueue}.
 */
public class NotDoneException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public NotDoneException(String message) {
    super(message);
  }
}

package io.millrace.api;

import io.millrace.MillraceException;

/**
 * What was asked for was not done, for a reason that belongs to ordinary work, and nothing was
 * changed. Thrown by those who do not want to look at a result: {@code orThrow()} of the results,
 * and {@link JobQueue#enqueue}.
 */
public class NotDoneException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public NotDoneException(String message) {
    super(message);
  }
}

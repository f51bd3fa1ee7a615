package io.millrace.api;

/**
 * A transaction was tried as often as it may be, and each time somebody else had changed what it
 * went by. Nothing was changed; it may be tried again.
 */
public final class TransactionConflictException extends NotDoneException {

  private static final long serialVersionUID = 1L;

  TransactionConflictException(String message) {
    super(message);
  }
}

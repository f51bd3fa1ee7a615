package io.millrace.api;

/**
 * Thrown when a transaction was tried as often as it may be, and each time something that it relied
 * on had been changed. Nothing was changed; the transaction may be tried again.
 */
public final class TransactionConflictException extends NotDoneException {

  private static final long serialVersionUID = 1L;

  TransactionConflictException(String message) {
    super(message);
  }
}

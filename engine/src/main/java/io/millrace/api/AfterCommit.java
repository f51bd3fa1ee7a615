package io.millrace.api;

/**
 * The result of one operation of a {@link Transaction}. It is known once the transaction has
 * committed, and not before. Any thread may use it.
 *
 * @param <T> the type of the operation's result
 */
@FunctionalInterface
public interface AfterCommit<T> {

  /**
   * Returns the result of the operation.
   *
   * @throws IllegalStateException the transaction has not committed: its function has not returned
   *     yet, was called again, or nothing of the transaction happened
   */
  T get();
}

package io.millrace.api;

/**
 * What an operation of a {@link Transaction} answers: known when the transaction has committed, and
 * not before. Any thread.
 *
 * @param <T> the operation's own result
 */
@FunctionalInterface
public interface AfterCommit<T> {

  /**
   * The result.
   *
   * @throws IllegalStateException the transaction has not committed: its function has not returned
   *     yet, was called anew, or nothing of it happened
   */
  T get();
}

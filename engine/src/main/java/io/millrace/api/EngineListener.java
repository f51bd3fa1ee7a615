package io.millrace.api;

/**
 * A listener that learns of changes in an engine's condition.
 *
 * <p>It is called where futures are completed: on one thread of the engine, in the order in which
 * things happened, or on the executor of {@link EngineOptions#futureExecutor}, in the order that it
 * keeps. It is never called on the thread that changes state, so a listener may read, make
 * asynchronous calls, reopen and close the engine. Other blocking calls are refused on the engine's
 * own thread with {@link IllegalStateException}. An exception from a listener is logged and has no
 * other effect.
 */
public interface EngineListener {

  /**
   * Reports that the store failed: all changes are refused until {@code reopen}; reads go on.
   *
   * @throws RuntimeException it is logged, and has no other effect
   */
  default void poisoned(Throwable cause) {}

  /**
   * Reports that another owner has taken the store over. All changes are refused with {@link
   * NotOwnerException} until {@code reopen}, which is refused while the other owner has the store.
   *
   * @throws RuntimeException it is logged, and has no other effect
   */
  default void ownershipLost(Throwable cause) {}

  /**
   * Reports that the engine was opened again after it was poisoned, or had lost its store.
   *
   * @throws RuntimeException it is logged, and has no other effect
   */
  default void reopened() {}

  /**
   * Reports that the store is full: requests that take room are refused.
   *
   * @throws RuntimeException it is logged, and has no other effect
   */
  default void full(Throwable cause) {}

  /**
   * Reports that a store that was full has room again.
   *
   * @throws RuntimeException it is logged, and has no other effect
   */
  default void roomAgain() {}
}

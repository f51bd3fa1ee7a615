package io.millrace.api;

/**
 * Is told what becomes of an engine.
 *
 * <p>Called where futures are completed: on one thread of the engine, in the order in which things
 * happened, or on the executor of {@link EngineOptions#futureExecutor}, in the order that it keeps.
 * Never on the thread that changes state, so a listener may read, make asynchronous calls, reopen
 * and close the engine; other blocking calls are refused on the engine's own thread with {@link
 * IllegalStateException}. What a listener throws is logged and harms nobody.
 */
public interface EngineListener {

  /** The store failed: all changes are refused until {@code reopen}; reads go on. */
  default void poisoned(Throwable cause) {}

  /**
   * Another owner has taken the store over: all changes are refused with {@link NotOwnerException}
   * until {@code reopen}, which is refused while the other has it.
   */
  default void ownershipLost(Throwable cause) {}

  /** The engine was opened again after it was poisoned, or had lost its store. */
  default void reopened() {}

  /** The store is full: requests that take room are refused. */
  default void full(Throwable cause) {}

  /** A store that was full has room again. */
  default void roomAgain() {}
}

package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a call that may find things other than it expects, as ordinary work does. All
 * results of calls are of this type. Immutable.
 *
 * <p>A result that tells only what happened is an enum, and can be switched over. One that tells
 * more is a sealed interface, whose records carry that. Only Millrace implements this interface.
 *
 * @param <T> what there is if it was done: as a rule the result itself
 */
public interface Result<T extends @Nullable Object> {

  /** Tells whether the call did what it was asked to do. */
  boolean isDone();

  /**
   * Returns what there is if the call did what it was asked to do.
   *
   * @throws NotDoneException it was not done, for the reason that the message tells
   */
  T orThrow();
}

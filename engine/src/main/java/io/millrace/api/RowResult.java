package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/** How a change of a {@link Table}'s row ended that was to be made on a condition. */
public sealed interface RowResult<V> {

  /** Whether the change was made. */
  default boolean isDone() {
    return this instanceof Done;
  }

  /**
   * This, if the change was made.
   *
   * @throws NotDoneException the row is another than was expected; nothing was changed
   */
  default RowResult<V> orThrow() {
    if (this instanceof Other<V> other) {
      throw new NotDoneException(
          "row was not changed, for it is not as expected: there="
              + other.found().isPresent()
              + "; look at it and try again");
    }
    return this;
  }

  /** The row was as expected, and is as asked. */
  record Done<V>() implements RowResult<V> {}

  /**
   * The row was another; nothing was changed.
   *
   * @param found what it holds; empty if there is none
   */
  record Other<V>(Optional<V> found) implements RowResult<V> {
    public Other {
      Objects.requireNonNull(found, "found");
    }
  }
}

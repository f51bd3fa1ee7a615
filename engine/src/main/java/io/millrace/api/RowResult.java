package io.millrace.api;

import java.util.Objects;
import java.util.Optional;

/** The possible outcomes of a conditional change of a {@link Table}'s row. */
public sealed interface RowResult<V> extends Result<RowResult<V>> {

  /** Tells whether the change was made. */
  @Override
  default boolean isDone() {
    return this instanceof Done;
  }

  /**
   * Returns this result if the change was made.
   *
   * @throws NotDoneException the row is not as expected; nothing was changed
   */
  @Override
  default RowResult<V> orThrow() {
    if (this instanceof Other<V> other) {
      throw new NotDoneException(
          "row was not changed, for it is not as expected: there="
              + other.found().isPresent()
              + "; look at it and try again");
    }
    return this;
  }

  /** The row was as expected, and the change was made. */
  record Done<V>() implements RowResult<V> {}

  /**
   * The row was not as expected; nothing was changed.
   *
   * @param found the value of the row; empty if there is no row
   */
  record Other<V>(Optional<V> found) implements RowResult<V> {
    public Other {
      Objects.requireNonNull(found, "found");
    }
  }
}

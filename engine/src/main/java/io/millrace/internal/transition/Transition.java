package io.millrace.internal.transition;

import io.millrace.internal.state.WorkingSet;

/**
 * A change of state that a request asks for.
 *
 * @param <R> what it answers
 */
public interface Transition<R> {

  /** What the change does to the size of the store; decides who is served when it is full. */
  enum Growth {
    /** Adds rows: refused while the store is full. */
    GROWS,
    /** Removes as much as it adds, or leads to that: goes on while the store is full. */
    FREES
  }

  Growth growth();

  /** The most store operations that {@link #apply} will add to the batch. */
  int operationCountMax();

  /** About how many bytes it will add. */
  default long bytes() {
    return 0;
  }

  /**
   * Names the rows that {@link #apply} will look at, so that those of a whole group are read at
   * once.
   */
  default void declare(WorkingSet state, RowReads reads) {}

  /** Whether the LEASE rows of all leases must be in the store or the batch before it. */
  default boolean needsLeaseRows() {
    return true;
  }

  /** Reads and checks, then changes. If it throws, nothing was changed. */
  R apply(Change change);
}

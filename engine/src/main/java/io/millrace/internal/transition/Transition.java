package io.millrace.internal.transition;

import io.millrace.internal.state.Cost;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.upkeep.BatchEnd;

/**
 * A change of state that a request asks for.
 *
 * @param <R> what it answers
 */
public interface Transition<R> extends Costed {

  /** What the change does to the size of the store; decides who is served when it is full. */
  enum Growth {
    /** Adds rows: refused while the store is full. */
    GROWS,
    /**
     * Removes as much as it adds, leads to that, or is what an operator needs for it: goes on while
     * the store is full.
     */
    FREES
  }

  Growth growth();

  /**
   * The most that {@link #apply} adds to the batch, but for {@link OpenBatch#aside what is done on
   * the way} and what {@link BatchEnd} adds.
   */
  @Override
  Cost cost();

  /** About how many bytes it keeps alive while it waits. */
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

  /**
   * Reads and checks, then changes. If it throws, nothing was changed, but for {@link
   * HalfDoneException}, which has the whole batch taken back.
   *
   * @throws OutOfRoomException the batch has no room for the least of it
   */
  R apply(OpenBatch batch);
}

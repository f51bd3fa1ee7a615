package io.millrace.internal.transition;

import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.QueueLeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.upkeep.BatchSteps;

/**
 * A change of state that a request asks for.
 *
 * @param <R> the type of the answer
 */
public interface Transition<R> extends Costed {

  /**
   * The effect of a change on the size of the store; decides which requests go on when it is full.
   */
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
   * Returns the most that {@link #apply} adds to the batch, but for work done on the way ({@link
   * OpenBatch#aside}) and the rows that {@link BatchSteps} adds.
   */
  @Override
  Cost cost();

  /** Returns roughly how many bytes of memory the transition keeps alive while it waits. */
  default long bytes() {
    return 0;
  }

  /**
   * Names the rows that {@link #apply} will look at, so that those of a whole group are read at
   * once.
   */
  default void declare(WorkingSet state, RowReads reads) {}

  /**
   * Tells whether the LEASE rows of all leases must be in the store or the batch before this is
   * applied.
   */
  default boolean needsLeaseRows() {
    return true;
  }

  /**
   * Reads and checks, then changes. If it throws, nothing was changed, but for {@link
   * HalfDoneException}, which has the whole batch taken back.
   *
   * @throws OutOfRoomException the batch has no room for the least of the change
   */
  R apply(OpenBatch batch);

  /** The receiver of the leases that an answer grants. */
  interface Granted {

    /** Receives a lease on a job. */
    void job(LeaseEntry lease);

    /** Receives a lease on a queue as a whole. */
    void queue(QueueLeaseEntry lease);
  }

  /**
   * Names the leases that the answer grants, if any. Their time begins when the answer is told, and
   * they go back if its caller has given up.
   */
  default void nameGranted(R answer, Granted granted) {}
}

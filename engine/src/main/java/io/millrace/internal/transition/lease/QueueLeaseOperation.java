package io.millrace.internal.transition.lease;

import io.millrace.api.Durability;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.QueueLeaseTable;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;

/**
 * An operation on leases of whole queues. These are in memory alone, so that the operation adds
 * nothing to the batch. Its answer waits for the batch all the same, for what it found may be of
 * that batch.
 */
abstract class QueueLeaseOperation<R> implements Transition<R> {

  @Override
  public final Growth growth() {
    return Growth.FREES;
  }

  @Override
  public final Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public final boolean needsLeaseRows() {
    return false;
  }

  @Override
  public final R apply(OpenBatch batch) {
    batch.answerAfter(batch.writes().number(), Durability.BUFFERED);
    return apply(batch, batch.state().queueLeases());
  }

  abstract R apply(OpenBatch batch, QueueLeaseTable leases);
}

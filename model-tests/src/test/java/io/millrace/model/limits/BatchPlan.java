package io.millrace.model.limits;

import io.millrace.api.Batch;
import java.util.Optional;

/**
 * A batch that is about to begin.
 *
 * @param outer the batch that it is to be within
 * @param operations the most rows that all of it takes
 * @param bytes the most bytes of these rows
 */
record BatchPlan(
    Batch batch, Optional<KnownBatch> outer, boolean isSealed, int operations, long bytes) {

  /** Tells whether its outer batch, if there is one, may take it. */
  boolean fits() {
    return outer.isEmpty() || outer.get().isJoinable();
  }
}

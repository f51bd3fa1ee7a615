package io.millrace.model.seeds;

import java.util.Set;

/**
 * One write or sync of the engine, as far as a judge needs it.
 *
 * @param number of the batch, for a sync the newest one then
 * @param rowCount of the batch, 0 for a sync
 * @param usesReserve whether the batch may take the room that is kept for getting out of fullness
 * @param slowMs how much time passed before it worked
 * @param tokens of the leases of which the batch has rows
 */
public record StoreEvent(
    Kind kind,
    long number,
    int rowCount,
    boolean usesReserve,
    Outcome outcome,
    long slowMs,
    Set<Long> tokens) {

  /** What was asked. */
  public enum Kind {
    WRITE,
    SYNC
  }

  /** What came of it. */
  public enum Outcome {
    DONE,
    FULL,
    FAILED
  }

  /** Whether it is a batch that may have happened. */
  public boolean isBatch() {
    return kind == Kind.WRITE && outcome != Outcome.FULL;
  }
}

package io.millrace.model.outage;

import java.util.List;

/** What a seed stands for. */
record SeededHistory(long seed, Content content, SeededSetup setup, List<SeededStep> steps) {

  /** What it is about. */
  enum Content {
    /** All but what the other is about. */
    JOBS,
    /**
     * Concurrency keys and leases on queues too. Who gets a slot hangs on the order in which things
     * are due: so there is always one instant at a time, and what has no order is left out.
     */
    KEYS
  }

  SeededHistory withSteps(List<SeededStep> others) {
    return new SeededHistory(seed, content, setup, others);
  }
}

package io.millrace.internal.transition;

import io.millrace.internal.state.Cost;

/** Work that declares at most how much it adds to a batch. */
public interface Costed {

  /** Returns the most that the work adds to a batch. */
  Cost cost();
}

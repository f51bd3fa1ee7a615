package io.millrace.internal.transition;

import io.millrace.internal.state.Cost;

/** What says at most how much it adds to a batch. */
public interface Costed {

  /** The most that it adds. */
  Cost cost();
}

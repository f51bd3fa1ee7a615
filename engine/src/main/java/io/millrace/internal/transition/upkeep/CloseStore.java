package io.millrace.internal.transition.upkeep;

import io.millrace.internal.format.RowBytes;
import io.millrace.internal.state.Cost;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;

/** The last batch of an engine, which marks the stop as clean. */
public final class CloseStore implements Transition<OpenStore.LastStop> {

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return new Cost(1, 2 * RowBytes.KEY);
  }

  @Override
  public OpenStore.LastStop apply(OpenBatch batch) {
    OpenStore.markStop(batch, OpenStore.LastStop.CLEAN);
    return OpenStore.LastStop.CLEAN;
  }
}

package io.millrace.internal.transition.lease;

import io.millrace.internal.state.Cost;
import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.RowReads;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * A step of a clean stop: the first of these leases are handed back, uncounted. The answer is how
 * many.
 */
public final class ReleaseAll implements Transition<Integer> {

  private static final int STEP = 1_000;

  private final List<LeaseEntry> step;

  public ReleaseAll(List<LeaseEntry> leases) {
    this.step = leases.subList(0, Math.min(STEP, leases.size()));
  }

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return HandBack.EACH.times(step.size());
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    step.forEach(lease -> Release.declare(state, reads, lease));
  }

  @Override
  public Integer apply(OpenBatch batch) {
    int count = 0;
    for (LeaseEntry lease : step) {
      if (!batch.hasRoomToSpare(HandBack.EACH)) {
        break;
      }
      Release.handBack(batch, lease);
      count++;
    }
    return count;
  }
}

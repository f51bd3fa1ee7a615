package io.millrace.internal.transition;

import io.millrace.internal.state.LeaseEntry;
import io.millrace.internal.state.WorkingSet;
import java.util.ArrayList;
import java.util.List;

/** A clean stop: a step of all leases is handed back, uncounted. Answers how many. */
public final class ReleaseAll implements Transition<Integer> {

  private static final int STEP = 1_000;

  private final List<LeaseEntry> step = new ArrayList<>();

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public int operationCountMax() {
    return 2 * STEP;
  }

  @Override
  public void declare(WorkingSet state, RowReads reads) {
    for (LeaseEntry lease : state.leases().all()) {
      if (step.size() == STEP) {
        return;
      }
      step.add(lease);
    }
  }

  @Override
  public Integer apply(Change change) {
    for (LeaseEntry lease : step) {
      Release.handBack(change, lease);
    }
    return step.size();
  }
}

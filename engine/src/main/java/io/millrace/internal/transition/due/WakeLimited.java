package io.millrace.internal.transition.due;

import io.millrace.api.QueueName;
import io.millrace.internal.state.Cost;
import io.millrace.internal.state.TenantRing;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.OpenBatch;
import io.millrace.internal.transition.Transition;
import java.util.List;

/**
 * The waking of claims that wait for a token of a rate limit which is there by now, and the search
 * for full buckets. The answer is how many queues the claims waited for.
 */
public final class WakeLimited implements Transition<Integer> {

  /** The most queues that one step wakes. */
  public static final int STEP = 1_000;

  /** The most buckets that one step looks at. */
  private static final int LOOK_COUNT = 1_000;

  @Override
  public Growth growth() {
    return Growth.FREES;
  }

  @Override
  public Cost cost() {
    return Cost.NOTHING;
  }

  @Override
  public boolean needsLeaseRows() {
    return false;
  }

  @Override
  public Integer apply(OpenBatch batch) {
    WorkingSet state = batch.state();
    long nowMs = batch.context().steadyMs();
    List<QueueName> woken = state.rates().takeWoken(nowMs, STEP);
    for (QueueName name : woken) {
      TenantRing tenants = state.tenants().find(name.name());
      if (tenants != null) {
        tenants.keep(name);
      }
      // Claims across tenants wait for queues that are not in memory, too.
      batch.wake(state.queue(name, batch.context().nowNs()));
    }
    state.rates().lookAt(LOOK_COUNT, nowMs);
    return woken.size();
  }
}

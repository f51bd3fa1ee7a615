package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.RateTable;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.WakeLimited;

/**
 * The timer of rate limits: lets claims go on that wait for a token, in the millisecond in which it
 * comes, and once a second forgets buckets that are full again.
 */
public final class RateTimer implements DueWork {

  private static final long LOOK_NS = 1_000_000_000L;

  private final RateTable rates;
  private long lookedAtNs;
  private boolean hasLooked;

  public RateTimer(WorkingSet state) {
    this.rates = state.rates();
  }

  @Override
  public long waitNs(DueTime now) {
    long wakeMs = rates.nextWakeMs();
    long wakeNs = wakeMs == RateTable.NEVER ? NEVER : now.steadyWaitNs(wakeMs);
    return rates.size() == 0 ? wakeNs : Math.min(wakeNs, lookWaitNs(now));
  }

  private long lookWaitNs(DueTime now) {
    if (!hasLooked) {
      lookedAtNs = now.nowNs();
      hasLooked = true;
    }
    return Math.max(0, LOOK_NS - (now.nowNs() - lookedAtNs));
  }

  @Override
  public void step(DueTime now, Steps steps) {
    if (lookWaitNs(now) == 0) {
      lookedAtNs = now.nowNs();
    }
    steps.apply(new WakeLimited());
  }
}

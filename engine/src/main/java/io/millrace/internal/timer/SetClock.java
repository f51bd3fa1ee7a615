package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.transition.due.StoreTime;

/**
 * The work that stores the time when a wall clock that was set has moved engine time and steady
 * time apart: the ends of lengths are shown by that distance, and a process that is killed must not
 * take the step for time that passed.
 */
public final class SetClock implements DueWork {

  private boolean isKnown;
  private long storedLeadMs;

  @Override
  public long waitNs(DueTime now) {
    return isKnown && !StoreTime.isApart(leadMs(now), storedLeadMs) ? NEVER : 0;
  }

  @Override
  public void step(DueTime now, Steps steps) {
    steps.apply(new StoreTime());
    storedLeadMs = leadMs(now);
    isKnown = true;
  }

  @Override
  public void restart() {
    isKnown = false;
  }

  private static long leadMs(DueTime now) {
    return now.steadyMs() - now.nowMs();
  }
}

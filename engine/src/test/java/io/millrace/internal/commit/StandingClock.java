package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that never moves: who parks is woken by an unpark or never, so that on real threads a
 * lost wake-up is a thread that hangs.
 */
final class StandingClock implements EngineClock {

  @Override
  public long epochMs() {
    return 0;
  }

  @Override
  public long monotonicNs() {
    return 0;
  }

  @Override
  public void parkNs(long durationNs) {
    LockSupport.park(this);
  }
}

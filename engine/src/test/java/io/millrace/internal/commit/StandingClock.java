package io.millrace.internal.commit;

import io.millrace.api.EngineClock;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that never moves: who parks is woken by an unpark or never, so that a lost wake-up is a
 * thread that hangs.
 *
 * <p>Lincheck lets {@code LockSupport.park} return for no reason, as Java may, and that would cover
 * up each lost wake-up; but not when the park is inside a call to an executor of the JDK, which is
 * why it is.
 */
final class StandingClock implements EngineClock {

  private static final AbstractExecutorService INLINE = new InlineExecutor();

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
    INLINE.submit(() -> LockSupport.park(this));
  }

  /** Runs everything at once, on the thread that submits it. */
  private static final class InlineExecutor extends AbstractExecutorService {

    @Override
    public void execute(Runnable work) {
      work.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}

package io.millrace.internal.commit;

import io.millrace.internal.state.DelayClock;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.Transition;
import java.util.Optional;

/**
 * Work that comes due with time, done in bounded steps between the requests. Belongs to the loop's
 * thread.
 */
public interface DueWork {

  /** A {@link #waitNs} that never ends by itself. */
  long NEVER = Long.MAX_VALUE;

  /** How long until there is something to do: 0 for now. */
  long waitNs(DueTime now);

  /** Does one step of what is due; more may be due afterwards. */
  void step(DueTime now, Steps steps);

  /** Whether it adds to the store: then it waits while that is full, as such requests do. */
  default Transition.Growth growth() {
    return Transition.Growth.FREES;
  }

  /** The working set was dropped, or a batch taken back: forgets what it remembers of the store. */
  default void restart() {}

  /** As {@link #restart}; and for a while nobody could ask for anything. */
  default void reopened() {
    restart();
  }

  /** What an operator should know of it, in a sentence. For any thread. */
  default Optional<String> warning() {
    return Optional.empty();
  }

  /** Carries out transitions as part of the batch in the making. */
  interface Steps {
    <R> R apply(Transition<R> transition);
  }

  /**
   * The time by which work is due.
   *
   * @param nowMs engine time
   * @param steadyMs steady time, which delays of a length run on
   * @param nowNs monotonic time
   * @param expiryNs leases that end before this time of the lease clock may be ended
   * @param sweep timers of up to this time may end what they are about: no request that is still to
   *     be carried out was made before
   */
  record DueTime(long nowMs, long steadyMs, long nowNs, long expiryNs, SubmitTime sweep) {

    private static final long NS_PER_MS = 1_000_000;

    /** How long until engine time is this; 0 if it has come. */
    public long waitNs(long engineMs) {
      return spanNs(engineMs - nowMs);
    }

    /** Timers of up to this time of their clock may be swept. */
    public long sweepMs(DelayClock clock) {
      return clock == DelayClock.ENGINE ? sweep.nowMs() : sweep.steadyMs();
    }

    /** How long until timers of this time of their clock may be swept; 0 for now. */
    public long sweepWaitNs(DelayClock clock, long atMs) {
      return spanNs(atMs - sweepMs(clock));
    }

    /** How long until steady time is this; 0 if it has come. */
    public long steadyWaitNs(long atSteadyMs) {
      return spanNs(atSteadyMs - steadyMs);
    }

    private static long spanNs(long ms) {
      if (ms <= 0) {
        return 0;
      }
      return ms > NEVER / NS_PER_MS ? NEVER : ms * NS_PER_MS;
    }
  }
}

package io.millrace.internal.commit;

import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.Nanos;
import io.millrace.internal.transition.SubmitTime;
import io.millrace.internal.transition.Transition;
import java.util.Optional;

/**
 * Work that comes due with time, done in bounded steps between the requests. Belongs to the loop's
 * thread, except for {@link #warning}.
 */
public interface DueWork {

  /** The result of {@link #waitNs} when no work will come due by itself. */
  long NEVER = Long.MAX_VALUE;

  /** Returns the nanoseconds until there is work to do; 0 or less for now. */
  long waitNs(DueTime now);

  /** Does one step of the due work; more may be due afterwards. */
  void step(DueTime now, Steps steps);

  /**
   * Returns whether the work adds to the store. If it does, it waits while the store is full, as
   * such requests do.
   */
  default Transition.Growth growth() {
    return Transition.Growth.FREES;
  }

  /** Forgets what it remembers of the store: the working set was dropped, or a batch taken back. */
  default void restart() {}

  /** Does what {@link #restart} does, after a time in which no caller could ask for anything. */
  default void reopened() {
    restart();
  }

  /** Returns a warning for the operator, in a sentence, if there is one. For any thread. */
  default Optional<String> warning() {
    return Optional.empty();
  }

  /** The way to carry out transitions as part of the batch in the making. */
  interface Steps {
    <R> R apply(Transition<R> transition);
  }

  /**
   * The times by which work is due.
   *
   * @param nowMs engine time
   * @param steadyMs steady time, which delays of a length run on
   * @param nowNs monotonic time
   * @param expiryNs the time on the lease clock before which leases must end to be ended now
   * @param sweep the time up to which timers may end what they are about: no request that is still
   *     to be carried out was made earlier
   */
  record DueTime(long nowMs, long steadyMs, long nowNs, long expiryNs, SubmitTime sweep) {

    /** Returns the nanoseconds until the given engine time; 0 if it has come. */
    public long waitNs(long engineMs) {
      return spanNs(engineMs - nowMs);
    }

    /** Returns the time of the given clock up to which its timers may be swept. */
    public long sweepMs(DelayClock clock) {
      return clock == DelayClock.ENGINE ? sweep.nowMs() : sweep.steadyMs();
    }

    /** Returns the nanoseconds until timers of the given time may be swept; 0 for now. */
    public long sweepWaitNs(DelayClock clock, long atMs) {
      return spanNs(atMs - sweepMs(clock));
    }

    /** Returns the nanoseconds until the given steady time; 0 if it has come. */
    public long steadyWaitNs(long atSteadyMs) {
      return spanNs(atSteadyMs - steadyMs);
    }

    private static long spanNs(long ms) {
      if (ms <= 0) {
        return 0;
      }
      return ms > Nanos.toMs(NEVER) ? NEVER : Nanos.ofMs(ms);
    }
  }
}

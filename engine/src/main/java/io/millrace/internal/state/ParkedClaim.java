package io.millrace.internal.state;

/** A claim that waits for a job. */
public interface ParkedClaim {

  ClaimSpec spec();

  /** When it stops waiting, on the monotonic clock. */
  long deadlineNs();

  /** Rises with every claim that is parked. */
  long arrival();

  /** Whether the caller has given up. May be asked by any thread. */
  boolean isAbandoned();

  /** Those that stop waiting first first. */
  static int compareDeadlines(ParkedClaim a, ParkedClaim b) {
    long difference = a.deadlineNs() - b.deadlineNs();
    return difference != 0 ? Long.signum(difference) : Long.compare(a.arrival(), b.arrival());
  }
}

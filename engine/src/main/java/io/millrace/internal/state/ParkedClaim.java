package io.millrace.internal.state;

/** A claim that waits for a job. */
public interface ParkedClaim {

  ClaimSpec spec();

  /** Returns when the claim stops waiting, on the monotonic clock. */
  long deadlineNs();

  /** Returns the number of the claim's arrival, which rises with every claim that is parked. */
  long arrival();

  /** Tells whether the caller has given up. May be called by any thread. */
  boolean isAbandoned();

  /** Compares claims by when they stop waiting, the earliest first. */
  static int compareDeadlines(ParkedClaim a, ParkedClaim b) {
    long difference = a.deadlineNs() - b.deadlineNs();
    return difference != 0 ? Long.signum(difference) : Long.compare(a.arrival(), b.arrival());
  }
}

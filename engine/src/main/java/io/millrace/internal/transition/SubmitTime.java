package io.millrace.internal.transition;

/**
 * The time at which a request was submitted, by which it is judged.
 *
 * @param nowMs engine time, in epoch milliseconds
 * @param steadyMs steady time, in epoch milliseconds: what delays of a length run on
 * @param leaseNs on the lease clock
 */
public record SubmitTime(long nowMs, long steadyMs, long leaseNs) {

  /** A time before all others. */
  public static final SubmitTime NEVER = new SubmitTime(0, 0, 0);
}

package io.millrace.api;

import java.util.List;

/** How a claim through a lease on a queue ended. */
public sealed interface QueueClaimResult {

  /** Whether the lease on the queue was current, so that the queue was asked for jobs. */
  default boolean isDone() {
    return this instanceof Claimed;
  }

  /**
   * Leases on jobs; none if there was no job.
   *
   * @throws LeaseLostException the lease on the queue is over; nothing was taken
   */
  default List<Lease> orThrow() {
    if (this instanceof Claimed claimed) {
      return claimed.leases();
    }
    throw LeaseLostException.ofQueue("claim");
  }

  /**
   * What the queue had.
   *
   * @param leases none if it had nothing
   */
  record Claimed(List<Lease> leases) implements QueueClaimResult {

    public Claimed {
      leases = List.copyOf(leases);
    }

    @Override
    @CheckReturnValue
    public List<Lease> leases() {
      return leases;
    }
  }

  /** The lease on the queue is over; nothing was taken. */
  record StaleLease() implements QueueClaimResult {}
}

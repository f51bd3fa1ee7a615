package io.millrace.api;

import java.util.List;

/** The possible outcomes of a claim through a lease on a queue. */
public sealed interface QueueClaimResult extends Result<List<Lease>> {

  /** Tells whether the lease on the queue was current, so that the queue was searched for jobs. */
  @Override
  default boolean isDone() {
    return this instanceof Claimed;
  }

  /**
   * Returns the leases on the jobs that were claimed; none if there was no job.
   *
   * @throws LeaseLostException the lease on the queue is over; nothing was claimed
   */
  @Override
  default List<Lease> orThrow() {
    if (this instanceof Claimed claimed) {
      return claimed.leases();
    }
    throw LeaseLostException.ofQueue("claim");
  }

  /**
   * The jobs of the queue were claimed, if there were any.
   *
   * @param leases the leases on the jobs; none if there was no job
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

  /** The lease on the queue is over; nothing was claimed. */
  record StaleLease() implements QueueClaimResult {}
}

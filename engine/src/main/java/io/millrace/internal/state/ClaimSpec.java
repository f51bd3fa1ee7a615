package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim asks for.
 *
 * @param queues from which queues
 * @param worker for whom
 * @param max the most jobs
 * @param leaseMs how long the leases last; 0 leaves it to the job or its queue
 * @param capacity heavier jobs are not eligible
 * @param maxWeight the weight of all jobs taken together
 * @param maxBytes the length of payloads and headers of all jobs taken together, unless it is one
 * @param queueLease the token of the lease on the queue that it is made through; 0 for none
 * @param tenantsOf the name from all of whose tenants; null if from the queues
 */
public record ClaimSpec(
    List<QueueName> queues,
    String worker,
    int max,
    long leaseMs,
    int capacity,
    int maxWeight,
    int maxBytes,
    long queueLease,
    @Nullable String tenantsOf) {

  /** The same, from all tenants of the name in place of the queues. */
  public ClaimSpec acrossTenants(String queueName) {
    return new ClaimSpec(
        List.of(), worker, max, leaseMs, capacity, maxWeight, maxBytes, queueLease, queueName);
  }

  /** The same, made through the lease of this token on its queue. */
  public ClaimSpec through(long token) {
    return new ClaimSpec(
        queues, worker, max, leaseMs, capacity, maxWeight, maxBytes, token, tenantsOf);
  }
}

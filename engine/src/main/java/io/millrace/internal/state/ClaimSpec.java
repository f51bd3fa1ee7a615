package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.List;
import java.util.Map;
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
 * @param maxPerQueue the most jobs of each queue that it names
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
    Map<QueueName, Integer> maxPerQueue,
    long queueLease,
    @Nullable String tenantsOf) {

  /** The same, from all tenants of the name in place of the queues. */
  public ClaimSpec acrossTenants(String queueName) {
    return from(List.of(), queueLease, queueName);
  }

  /** The same, made through the lease of this token on its queue. */
  public ClaimSpec through(long token) {
    return from(queues, token, tenantsOf);
  }

  private ClaimSpec from(List<QueueName> named, long token, @Nullable String queueName) {
    return new ClaimSpec(
        named, worker, max, leaseMs, capacity, maxWeight, maxBytes, maxPerQueue, token, queueName);
  }
}

package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.List;
import java.util.Map;

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
 * @param maxPerQueue the most jobs of each queue that it names; across tenants the default tenant
 *     stands for all of its name
 * @param queueLease the token of the lease on the queue that it is made through; 0 for none
 * @param tenantsOf the names from all of whose tenants; none if from the queues
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
    List<String> tenantsOf) {

  /** The same, from all tenants of the names of the queues. */
  public ClaimSpec acrossTenants() {
    List<String> names =
        queues.size() == 1
            ? List.of(queues.get(0).name())
            : queues.stream().map(QueueName::name).toList();
    return from(List.of(), queueLease, names);
  }

  /** The same, made through the lease of this token on its queue. */
  public ClaimSpec through(long token) {
    return from(queues, token, tenantsOf);
  }

  private ClaimSpec from(List<QueueName> named, long token, List<String> names) {
    return new ClaimSpec(
        named, worker, max, leaseMs, capacity, maxWeight, maxBytes, maxPerQueue, token, names);
  }
}

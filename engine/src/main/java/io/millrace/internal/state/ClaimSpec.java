package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.List;
import java.util.Map;

/**
 * The terms of a claim.
 *
 * @param queues the queues to take jobs from
 * @param worker the worker that the jobs are for
 * @param max the most jobs to take
 * @param leaseMs the duration of the leases; 0 leaves it to the job or its queue
 * @param capacity the weight above which a job is not eligible
 * @param maxWeight the most weight of all jobs taken together
 * @param maxBytes the most bytes of payloads and headers of all jobs taken together, unless only
 *     one is taken
 * @param maxPerQueue the most jobs of each queue that it names; across tenants the entry of the
 *     default tenant stands for all tenants of its name together
 * @param queueLease token of the lease on the queue through which the claim is made; 0 for none
 * @param tenantsOf the names from all of whose tenants jobs are taken; empty if the claim is from
 *     {@code queues}
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

  /** Returns the same terms for all tenants of the queues' names. */
  public ClaimSpec acrossTenants() {
    List<String> names =
        queues.size() == 1
            ? List.of(queues.get(0).name())
            : queues.stream().map(QueueName::name).toList();
    return from(List.of(), queueLease, names);
  }

  /**
   * Returns the same terms for a claim that is made through the lease of this token on its queue.
   */
  public ClaimSpec through(long token) {
    return from(queues, token, tenantsOf);
  }

  private ClaimSpec from(List<QueueName> named, long token, List<String> names) {
    return new ClaimSpec(
        named, worker, max, leaseMs, capacity, maxWeight, maxBytes, maxPerQueue, token, names);
  }
}

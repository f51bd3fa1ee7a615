package io.millrace.outbox.jdbc;

import io.millrace.api.QueueName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queues that took no jobs, each with the time until which it is not asked again. That doubles
 * with each refusal. Used by the thread of the relay; figures are read by any.
 */
final class Refusals {

  static final long WAIT_LEAST_MS = 200;
  static final long WAIT_MOST_MS = 10_000;

  /** The most queues that a statement leaves out; the one refused longest ago is asked again. */
  static final int COUNT_MAX = 1_000;

  private final Map<QueueName, Refusal> refusals = new LinkedHashMap<>();

  private record Refusal(long untilMs, long waitMs) {}

  /** Notes that the queue took no job. */
  synchronized void add(QueueName queue, long nowMs) {
    Refusal before = refusals.remove(queue);
    long waitMs = before == null ? WAIT_LEAST_MS : Math.min(WAIT_MOST_MS, 2 * before.waitMs);
    refusals.put(queue, new Refusal(nowMs + waitMs, waitMs));
    if (refusals.size() > COUNT_MAX) {
      refusals.remove(refusals.keySet().iterator().next());
    }
  }

  /** Notes that the queues took jobs. */
  synchronized void remove(Collection<QueueName> queues) {
    queues.forEach(refusals::remove);
  }

  /** Returns the queues that are not to be asked now. */
  synchronized List<QueueName> at(long nowMs) {
    return refusals.entrySet().stream()
        .filter(entry -> entry.getValue().untilMs - nowMs > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns all queues whose newest answer was a refusal. */
  synchronized Set<QueueName> all() {
    return Set.copyOf(refusals.keySet());
  }
}

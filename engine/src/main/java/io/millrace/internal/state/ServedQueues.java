package io.millrace.internal.state;

import io.millrace.api.QueueName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The queues that workers say they serve. A worker that is busy makes no claim for as long as it
 * has no room, and yet its queues are not unserved. For any thread.
 */
public final class ServedQueues {

  /** The number of workers that serve each queue. */
  private final Map<QueueName, Integer> queues = new ConcurrentHashMap<>();

  /** The number of workers that serve all tenants of each name. */
  private final Map<String, Integer> names = new ConcurrentHashMap<>();

  private final AtomicLong changeCount = new AtomicLong();

  ServedQueues() {}

  /**
   * Notes that a worker serves these queues until it runs the returned action.
   *
   * @param tenantsOf the names all of whose tenants the worker serves
   */
  public Runnable serve(Collection<QueueName> served, Collection<String> tenantsOf) {
    List<QueueName> servedQueues = List.copyOf(served);
    List<String> servedNames = List.copyOf(tenantsOf);
    count(queues, servedQueues, 1);
    count(names, servedNames, 1);
    changeCount.incrementAndGet();
    AtomicBoolean isOver = new AtomicBoolean();
    return () -> {
      if (isOver.compareAndSet(false, true)) {
        count(queues, servedQueues, -1);
        count(names, servedNames, -1);
        changeCount.incrementAndGet();
      }
    };
  }

  private static <T> void count(Map<T, Integer> counts, List<T> served, int change) {
    for (T each : served) {
      counts.merge(each, change, (count, more) -> count + more == 0 ? null : count + more);
    }
  }

  /** Tells whether some worker serves the queue. */
  public boolean isServed(QueueName queue) {
    return queues.containsKey(queue) || names.containsKey(queue.name());
  }

  /** Returns how often a worker has begun or ceased to serve queues. */
  long changeCount() {
    return changeCount.get();
  }
}

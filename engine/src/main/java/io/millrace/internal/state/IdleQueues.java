package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues in memory that may leave it, in the order of their use, the least recently used first.
 */
public final class IdleQueues {

  /** The most queues that have to stay and that one search looks at. */
  private static final int KEPT_COUNT_MAX = 1_000;

  private final Map<QueueName, QueueState> byUse;

  /**
   * Creates the view of a map in the order of use, which looking a queue up by its name changes.
   */
  IdleQueues(Map<QueueName, QueueState> byUse) {
    this.byUse = byUse;
  }

  /** Returns queues that nothing has used since the given time and that nothing waits for. */
  public List<QueueState> since(long ns, int countMax) {
    List<QueueState> idle = new ArrayList<>();
    for (QueueState queue : byUse.values()) {
      if (queue.usedAtNs() - ns > 0 || idle.size() == countMax) {
        break;
      }
      if (!queue.isKept()) {
        idle.add(queue);
      }
    }
    return idle;
  }

  /**
   * Returns queues that have no leased job and that nothing waits for, however recently they were
   * used. A queue that has to stay counts as used now, so that it is not looked at again and again.
   */
  public List<QueueState> any(long nowNs, int countMax) {
    List<QueueState> idle = new ArrayList<>();
    List<QueueState> kept = new ArrayList<>();
    for (QueueState queue : byUse.values()) {
      if (idle.size() == countMax || kept.size() == KEPT_COUNT_MAX) {
        break;
      }
      boolean mustStay = queue.isKept() || queue.count(JobState.LEASED) > 0;
      (mustStay ? kept : idle).add(queue);
    }
    kept.forEach(queue -> use(queue, nowNs));
    return idle;
  }

  /**
   * Returns the queue that was unused for longest, or null. A queue that claims wait for counts as
   * used when its turn comes.
   *
   * @param idleNs how long a queue may be unused before it is to be unloaded
   */
  public @Nullable QueueState longest(long nowNs, long idleNs) {
    for (int i = byUse.size(); i > 0; i--) {
      QueueState first = byUse.values().iterator().next();
      if (!first.isKept() || nowNs - first.usedAtNs() < idleNs) {
        return first;
      }
      use(first, nowNs);
    }
    return null;
  }

  private void use(QueueState queue, long nowNs) {
    byUse.get(queue.name());
    queue.setUsedAtNs(nowNs);
  }
}

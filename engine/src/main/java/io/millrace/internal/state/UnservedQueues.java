package io.millrace.internal.state;

import io.millrace.api.JobState;
import io.millrace.api.QueueName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Queues with ready jobs that nobody claims, and since when.
 *
 * <p>A queue is <em>served</em> while a claim waits for it, a job of it is leased, it is leased as
 * a whole, or a worker says that it serves it. A claim that names it, also in vain, begins its time
 * anew. Which queues are not served, a walk over the store finds out. It is to be made when that
 * may have changed: a batch has left ready jobs in a queue that is not served, or somebody has
 * begun or ceased to serve. So an engine all of whose queues are served makes none, nor does an
 * idle one.
 *
 * <p>Those that have been so for {@value #SHOWN_AFTER_MS} ms when a walk ends are <em>shown</em>.
 * At most {@value #KEPT_COUNT_MAX} are known, the others when there is room. Nothing of it is taken
 * back with a batch: what is wrong then, the next walk puts right. Times are steady time. Belongs
 * to the loop's thread, but for {@link #shown()} and {@link #served()}.
 */
public final class UnservedQueues {

  /** A time that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  static final long SHOWN_AFTER_MS = 60_000;
  static final int KEPT_COUNT_MAX = 1_000;

  /** A time that is over. */
  private static final long AT_ONCE_MS = Long.MIN_VALUE;

  private static final int NAMED_COUNT_MAX = 5;

  private final ServedQueues served = new ServedQueues();

  /** Those that were found first come first. */
  private final Map<QueueName, Found> found = new LinkedHashMap<>();

  /** How many of each name were found. */
  private final Map<String, Integer> countOfName = new HashMap<>();

  private boolean isChanged = true;
  private long servedCount;
  private int walk;
  private boolean isMore;

  /** When the first of those that are not shown will be, if nobody claims from it. */
  private long nextShownMs = NEVER;

  private volatile Shown shown = new Shown(List.of(), 0, false);

  UnservedQueues() {}

  /** A queue that is not served. */
  private static final class Found {
    private final long sinceMs;
    private boolean isShown;
    private int walk;

    private Found(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  /**
   * The queues that have not been served for long enough.
   *
   * @param first the first few of them
   * @param count how many they are
   * @param isMore whether there are more than can be known
   */
  public record Shown(List<QueueName> first, int count, boolean isMore) {}

  /** Answers what workers say; for any thread. */
  public ServedQueues served() {
    return served;
  }

  /** Answers those that have not been served for long enough; for any thread. */
  public Shown shown() {
    return shown;
  }

  /** The batch that is about to be written has changed the queue's counts. */
  public void noteChange(QueueState queue) {
    if (queue.count(JobState.READY) == 0) {
      remove(queue.name());
    } else if (!isChanged) {
      isChanged = !queue.isAwaited() && !served.isServed(queue.name());
    }
  }

  /** A batch is about to be written: what it says of queues may end what is known of them. */
  public void noteBatch() {
    isChanged |= !found.isEmpty();
  }

  /** A claim waits no longer. */
  void noteEndOfWait() {
    isChanged = true;
  }

  /** Somebody claims from the queue. */
  public void claimed(QueueName queue) {
    remove(queue);
  }

  private void remove(QueueName queue) {
    if (!found.isEmpty() && found.remove(queue) != null) {
      uncount(queue);
      isChanged = true;
      show();
    }
  }

  private void uncount(QueueName queue) {
    countOfName.merge(queue.name(), -1, (count, less) -> count == 1 ? null : count + less);
  }

  /** Somebody claims across the tenants of the name. */
  public void claimedAcrossTenants(String queueName) {
    if (!found.isEmpty() && countOfName.containsKey(queueName)) {
      removeIf((each, since) -> each.name().equals(queueName));
    }
  }

  private void removeIf(BiPredicate<QueueName, Found> isOver) {
    List<QueueName> over = new ArrayList<>();
    found.forEach(
        (queue, each) -> {
          if (isOver.test(queue, each)) {
            over.add(queue);
          }
        });
    for (QueueName queue : over) {
      found.remove(queue);
      uncount(queue);
    }
    isChanged |= !over.isEmpty();
    show();
  }

  /**
   * Answers when the next walk is to be made; {@link #NEVER} if none is, unless something changes.
   */
  public long walkAtMs() {
    return isChanged || servedCount != served.changeCount() ? AT_ONCE_MS : nextShownMs;
  }

  /** A walk begins. */
  public void beginWalk() {
    isChanged = false;
    servedCount = served.changeCount();
    isMore = false;
    walk++;
  }

  /** The walk has come to these queues, which are not served. */
  public void found(List<QueueName> queues, long nowMs) {
    for (QueueName queue : queues) {
      Found known = found.get(queue);
      if (known == null && found.size() < KEPT_COUNT_MAX) {
        known = new Found(nowMs);
        found.put(queue, known);
        countOfName.merge(queue.name(), 1, Integer::sum);
      }
      if (known == null) {
        isMore = true;
      } else {
        known.walk = walk;
      }
    }
  }

  /** The walk has come to its end. Answers the queues that are shown from now on. */
  public List<QueueName> endWalk(long nowMs) {
    boolean wasChanged = isChanged;
    removeIf((queue, each) -> each.walk != walk);
    isChanged = wasChanged;
    List<QueueName> begun = new ArrayList<>();
    nextShownMs = NEVER;
    for (Map.Entry<QueueName, Found> each : found.entrySet()) {
      Found queue = each.getValue();
      if (queue.isShown) {
        continue;
      }
      if (nowMs - queue.sinceMs >= SHOWN_AFTER_MS) {
        queue.isShown = true;
        begun.add(each.getKey());
      } else {
        nextShownMs = Math.min(nextShownMs, queue.sinceMs + SHOWN_AFTER_MS);
      }
    }
    show();
    return begun;
  }

  private void show() {
    List<QueueName> first = new ArrayList<>(NAMED_COUNT_MAX);
    int count = 0;
    for (Map.Entry<QueueName, Found> each : found.entrySet()) {
      if (each.getValue().isShown && count++ < NAMED_COUNT_MAX) {
        first.add(each.getKey());
      }
    }
    shown = new Shown(List.copyOf(first), count, isMore && count > 0);
  }

  /** The time of those that are not shown yet begins with the next walk. */
  public void beginAnew() {
    removeIf((queue, each) -> !each.isShown);
  }

  /** The store may be another by now: the next walk is made at once. */
  public void restart() {
    isChanged = true;
  }
}

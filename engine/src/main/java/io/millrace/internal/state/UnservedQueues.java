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
 * a whole, or a worker says that it serves it. A claim that names an unserved queue, even in vain,
 * begins the queue's time anew. A walk over the store finds the queues that are not served. It is
 * made when they may have changed: a batch has left ready jobs in a queue that is not served, or a
 * worker has begun or ceased to serve. So an engine all of whose queues are served makes no walk,
 * nor does an idle one.
 *
 * <p>The queues that have been unserved for {@value #SHOWN_AFTER_MS} ms when a walk ends are
 * <em>shown</em>. At most {@value #KEPT_COUNT_MAX} are known, the others when there is room.
 * Nothing of it is taken back with a batch: what is wrong then, the next walk puts right. Times are
 * steady time. Belongs to the loop's thread, except for {@link #shown()} and {@link #served()}.
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

  /** The unserved queues, in the order in which they were found. */
  private final Map<QueueName, UnservedQueue> found = new LinkedHashMap<>();

  /** The number of unserved queues of each name. */
  private final Map<String, Integer> countOfName = new HashMap<>();

  private boolean isChanged = true;
  private long servedCount;
  private int walk;
  private boolean isMore;

  /** The time when the first queue that is not shown yet will be, if nobody claims from it. */
  private long nextShownMs = NEVER;

  private volatile Shown shown = new Shown(List.of(), 0, false);

  UnservedQueues() {}

  /** A queue that is not served. */
  private static final class UnservedQueue {
    private final long sinceMs;
    private boolean isShown;
    private int walk;

    private UnservedQueue(long sinceMs) {
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

  /** Returns the queues that workers say they serve. May be called by any thread. */
  public ServedQueues served() {
    return served;
  }

  /** Returns the queues that have not been served for long enough. May be called by any thread. */
  public Shown shown() {
    return shown;
  }

  /** Notes that the batch which is about to be written has changed the queue's counts. */
  public void noteChange(QueueState queue) {
    if (queue.count(JobState.READY) == 0) {
      remove(queue.name());
    } else if (!isChanged) {
      isChanged = !queue.isAwaited() && !served.isServed(queue.name());
    }
  }

  /** Notes that a batch is about to be written, which may end what is known of queues. */
  public void noteBatch() {
    isChanged |= !found.isEmpty();
  }

  /** Notes that a claim waits no longer. */
  void noteEndOfWait() {
    isChanged = true;
  }

  /** Removes the queue, since somebody claims from it. */
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

  /** Removes the queues of the name, since somebody claims across its tenants. */
  public void claimedAcrossTenants(String queueName) {
    if (!found.isEmpty() && countOfName.containsKey(queueName)) {
      removeIf((each, since) -> each.name().equals(queueName));
    }
  }

  private void removeIf(BiPredicate<QueueName, UnservedQueue> isOver) {
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
   * Returns when the next walk is to be made; {@link #NEVER} if none is, unless something changes.
   */
  public long walkAtMs() {
    return isChanged || servedCount != served.changeCount() ? AT_ONCE_MS : nextShownMs;
  }

  /** Begins a walk. */
  public void beginWalk() {
    isChanged = false;
    servedCount = served.changeCount();
    isMore = false;
    walk++;
  }

  /** Adds queues that the walk has come to and that are not served. */
  public void found(List<QueueName> queues, long nowMs) {
    for (QueueName queue : queues) {
      UnservedQueue known = found.get(queue);
      if (known == null && found.size() < KEPT_COUNT_MAX) {
        known = new UnservedQueue(nowMs);
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

  /** Ends the walk, and returns the queues that are shown from now on. */
  public List<QueueName> endWalk(long nowMs) {
    boolean wasChanged = isChanged;
    removeIf((queue, each) -> each.walk != walk);
    isChanged = wasChanged;
    List<QueueName> begun = new ArrayList<>();
    nextShownMs = NEVER;
    for (Map.Entry<QueueName, UnservedQueue> each : found.entrySet()) {
      UnservedQueue queue = each.getValue();
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
    for (Map.Entry<QueueName, UnservedQueue> each : found.entrySet()) {
      if (each.getValue().isShown && count++ < NAMED_COUNT_MAX) {
        first.add(each.getKey());
      }
    }
    shown = new Shown(List.copyOf(first), count, isMore && count > 0);
  }

  /** Lets the time of queues that are not shown yet begin with the next walk. */
  public void beginAnew() {
    removeIf((queue, each) -> !each.isShown);
  }

  /** Lets the next walk be made at once, for the store may be another by now. */
  public void restart() {
    isChanged = true;
  }
}

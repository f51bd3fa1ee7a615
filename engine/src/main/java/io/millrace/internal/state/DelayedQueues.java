package io.millrace.internal.state;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The loaded queues that have delayed jobs, ordered on each clock by when their first job may be
 * due.
 */
final class DelayedQueues {

  private final Map<DelayClock, TreeSet<QueueState>> byClock = new EnumMap<>(DelayClock.class);

  DelayedQueues() {
    for (DelayClock clock : DelayClock.values()) {
      byClock.put(
          clock,
          new TreeSet<>(
              Comparator.<QueueState>comparingLong(queue -> queue.nextDelayed().timeMs(clock))
                  .thenComparing(QueueState::name)));
    }
  }

  private TreeSet<QueueState> of(DelayClock clock) {
    return Objects.requireNonNull(byClock.get(clock));
  }

  void add(QueueState queue) {
    for (DelayClock clock : DelayClock.values()) {
      if (queue.nextDelayed().timeMs(clock) != QueueState.NEVER) {
        of(clock).add(queue);
      }
    }
  }

  void remove(QueueState queue) {
    byClock.values().forEach(queues -> queues.remove(queue));
  }

  /**
   * Sets the place of the queue's next delayed job. The order depends on the time, so that the
   * queue must not be in the tree while the time changes.
   */
  void setNext(QueueState queue, DelayClock clock, long timeMs, long birth) {
    of(clock).remove(queue);
    queue.nextDelayed().set(clock, timeMs, birth);
    if (timeMs != QueueState.NEVER) {
      of(clock).add(queue);
    }
  }

  /** Returns when the first jobs may be due on this clock; {@link QueueState#NEVER} for none. */
  long nextMs(DelayClock clock) {
    return of(clock).isEmpty() ? QueueState.NEVER : of(clock).first().nextDelayed().timeMs(clock);
  }

  /** Returns the queue that may have jobs due first, or null if no queue may have any by now. */
  @Nullable QueueState firstDue(DelayClock clock, long nowMs) {
    return nextMs(clock) <= nowMs ? of(clock).first() : null;
  }
}

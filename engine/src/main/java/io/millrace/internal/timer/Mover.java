package io.millrace.internal.timer;

import io.millrace.internal.commit.DueWork;
import io.millrace.internal.state.DelayClock;
import io.millrace.internal.state.QueueState;
import io.millrace.internal.state.WorkingSet;
import io.millrace.internal.transition.due.MoveDue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The mover, which makes delayed jobs of queues in memory ready when their time comes. A queue
 * whose rows cannot be read is left alone for a minute.
 *
 * <p>Belongs to the loop's thread, except for {@link #warning}.
 */
public final class Mover implements DueWork {

  private static final long LEFT_ALONE_NS = 60_000_000_000L;

  private final WorkingSet state;
  private final Deque<LeftAlone> leftAlone = new ArrayDeque<>();
  private volatile int leftAloneCount;

  private record LeftAlone(QueueState queue, long untilNs) {}

  public Mover(WorkingSet state) {
    this.state = state;
  }

  @Override
  public long waitNs(DueTime now) {
    LeftAlone first = leftAlone.peek();
    long againNs = first == null ? NEVER : Math.max(0, first.untilNs - now.nowNs());
    long dueNs =
        Math.min(
            now.waitNs(state.nextDelayedMs(DelayClock.ENGINE)),
            now.steadyWaitNs(state.nextDelayedMs(DelayClock.STEADY)));
    return Math.min(againNs, dueNs);
  }

  @Override
  public void step(DueTime now, Steps steps) {
    while (!leftAlone.isEmpty() && leftAlone.element().untilNs - now.nowNs() <= 0) {
      state.watchAgain(leftAlone.remove().queue);
    }
    for (QueueState unreadable : steps.apply(new MoveDue())) {
      leftAlone.add(new LeftAlone(unreadable, now.nowNs() + LEFT_ALONE_NS));
    }
    leftAloneCount = leftAlone.size();
  }

  /** Leaves no queue alone any more: all are read anew, and watched. */
  @Override
  public void restart() {
    leftAlone.clear();
    leftAloneCount = 0;
  }

  @Override
  public Optional<String> warning() {
    int count = leftAloneCount;
    return count == 0
        ? Optional.empty()
        : Optional.of(
            "delayed jobs cannot be read and wait, see the log: queues=" + count + "; run verify");
  }
}
